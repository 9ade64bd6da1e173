import type { Chance } from './chance.ts'

/** Time that advances only when no work is left at the present moment. */
export type VirtualTime = {
  nowMs(): number
  /** Calls back after this number of milliseconds. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
  sleep(ms: number): Promise<void>
  /** Advances time until no timer is left. */
  run(): Promise<void>
}

type Timer = { readonly atMs: number; readonly rank: number; callback: (() => void) | undefined }

/** Timers that are due at the same moment run in a random order, one after another. */
export function createVirtualTime(chance: Chance): VirtualTime {
  let nowMs = 0
  const timers = createHeap()

  function after(ms: number, callback: () => void): () => void {
    const timer: Timer = { atMs: nowMs + ms, rank: chance.int(0, 1e9), callback }
    timers.push(timer)
    return () => {
      timer.callback = undefined
    }
  }

  return {
    nowMs: () => nowMs,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    async run() {
      await everythingSettled()
      for (let next = timers.pop(); next !== undefined; next = timers.pop()) {
        const { callback } = next
        if (callback === undefined) continue
        nowMs = next.atMs
        callback()
        await everythingSettled()
      }
    },
  }
}

/** Resolves when every promise that can settle without time has settled. */
const everythingSettled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Timers, earliest first: a binary heap. */
function createHeap() {
  const heap: Timer[] = []
  const isEarlier = (a: Timer, b: Timer) => a.atMs < b.atMs || (a.atMs === b.atMs && a.rank < b.rank)

  function swapIfEarlier(child: number, parent: number): boolean {
    const [a, b] = [heap[child], heap[parent]]
    if (a === undefined || b === undefined || !isEarlier(a, b)) return false
    heap[child] = b
    heap[parent] = a
    return true
  }

  return {
    push(timer: Timer): void {
      heap.push(timer)
      let at = heap.length - 1
      while (at > 0 && swapIfEarlier(at, (at - 1) >> 1)) at = (at - 1) >> 1
    },
    pop(): Timer | undefined {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let at = 0; ; ) {
        const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
        const child = right !== undefined && left !== undefined && isEarlier(right, left) ? 2 * at + 2 : 2 * at + 1
        if (!swapIfEarlier(child, at)) return first
        at = child
      }
    },
  }
}
