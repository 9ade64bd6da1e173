import type { Entry } from '../../src/auction/entry.ts'
import type { Store } from '../../src/store/store.ts'
import { noAnswer } from './service.ts'

/** The outcome of one call: it succeeds, or its answer is lost. */
export type CallOutcome =
  | 'none'
  | 'lost-before-storing'
  | 'lost-after-storing'
  /** This number of entries is stored. */
  | { readonly lostAfter: number }
  /** All entries are stored after they are looked up: just before the next append. */
  | 'arrives-late'
  /** The network sends it twice: the answer is that of the second call. */
  | 'repeated'
  | 'never-answered'

export type CallOutcomes = { readonly [Operation in keyof Store]?: readonly CallOutcome[] }

export const many = (fault: CallOutcome): readonly CallOutcome[] => Array.from({ length: 100 }, () => fault)

/** A store whose calls have the given outcomes, one after another, and then succeed. */
export function createUnreliableStore(right: Store, faults: CallOutcomes): Store {
  const late: (readonly Entry[])[] = []
  const left = new Map(
    Object.entries(faults).map(([operation, list]) => [operation, [...(list as readonly CallOutcome[])]]),
  )
  const nextOutcome = (operation: string): CallOutcome => left.get(operation)?.shift() ?? 'none'

  async function append(entries: readonly Entry[]): Promise<number> {
    for (const arriving of late.splice(0)) await right.append(arriving)
    const fault = nextOutcome('append')
    if (fault === 'none') return right.append(entries)
    if (fault === 'never-answered') return new Promise(() => undefined)
    if (fault === 'arrives-late') late.push(entries)
    if (fault === 'lost-after-storing' || fault === 'repeated') await right.append(entries)
    if (fault === 'repeated') return right.append(entries)
    if (typeof fault === 'object') await right.append(entries.slice(0, fault.lostAfter))
    throw noAnswer()
  }

  return new Proxy(right, {
    get(target, operation, receiver) {
      if (operation === 'append') return append
      const call: unknown = Reflect.get(target, operation, receiver)
      if (typeof call !== 'function') return call
      return async (...values: unknown[]) => {
        const fault = nextOutcome(String(operation))
        if (fault === 'none') return call.apply(target, values)
        if (fault === 'never-answered') return new Promise(() => undefined)
        if (fault === 'lost-after-storing' || fault === 'repeated') await call.apply(target, values)
        if (fault === 'repeated') return call.apply(target, values)
        throw noAnswer()
      }
    },
  })
}

/** An append that waits until the test releases it. */
export type HeldAppend = { readonly entries: readonly Entry[]; readonly release: () => Promise<number> }

/** A store whose appends wait for the test. */
export function createHeldStore(right: Store): Store & { readonly nextAppend: () => Promise<HeldAppend> } {
  const held: HeldAppend[] = []
  const waiting: ((append: HeldAppend) => void)[] = []
  return {
    ...right,
    append: (entries) =>
      new Promise((resolve) => {
        const release = () => {
          const appended = right.append(entries)
          resolve(appended)
          return appended
        }
        const taker = waiting.shift()
        if (taker === undefined) held.push({ entries, release })
        else taker({ entries, release })
      }),
    nextAppend: () =>
      new Promise((resolve) => {
        const append = held.shift()
        if (append === undefined) waiting.push(resolve)
        else resolve(append)
      }),
  }
}
