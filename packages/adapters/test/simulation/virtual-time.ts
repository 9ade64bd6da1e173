import type { Chance } from './chance.ts'

/** Time that passes only when nothing is left to do at the present moment. */
export type VirtualTime = {
  nowMs(): number
  sleep(ms: number): Promise<void>
  /** Lets time pass until nobody sleeps any more. */
  run(): Promise<void>
}

type Sleeper = { readonly atMs: number; readonly turn: number; readonly wake: () => void }

/** Sleepers who wake at one moment wake in an order drawn by chance, one at a time. */
export function virtualTime(chance: Chance): VirtualTime {
  let nowMs = 0
  const sleepers: Sleeper[] = []
  const isEarlier = (a: Sleeper, b: Sleeper) => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn)

  function takeEarliest(): Sleeper | undefined {
    let earliest = 0
    for (const [index, sleeper] of sleepers.entries()) {
      const best = sleepers[earliest]
      if (best !== undefined && isEarlier(sleeper, best)) earliest = index
    }
    return sleepers.splice(earliest, 1)[0]
  }

  return {
    nowMs: () => nowMs,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ atMs: nowMs + ms, turn: chance.int(0, 1e9), wake })
      }),
    async run() {
      await microtasks()
      for (let next = takeEarliest(); next !== undefined; next = takeEarliest()) {
        nowMs = next.atMs
        next.wake()
        await microtasks()
      }
    },
  }
}

/** Ends when every promise that can be settled without time passing is settled. */
const microtasks = () => new Promise<void>((resolve) => setImmediate(resolve))
