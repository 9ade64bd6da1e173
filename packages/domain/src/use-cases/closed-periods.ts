import type { Store } from '../store.ts'

/** Periods are counted from the Unix epoch; all who share a store count the same ones. */
const periodMs = 10 * 60 * 1000

/** Up to when all auctions that have ended are closed, as anybody has recorded it. It says where a process that starts may begin. */
export type ClosedPeriods = {
  /** When the last recorded period was over, in milliseconds of the Unix epoch; undefined when none is recorded. */
  lastEndMs(): Promise<number | undefined>
  /** Records that all that ended up to a moment are closed: the last period that was over by then. */
  record(untilMs: number): Promise<void>
}

export function createClosedPeriods(store: Pick<Store, 'claimIdBlock' | 'highestIdBlock'>): ClosedPeriods {
  let recorded = 0
  return {
    async lastEndMs() {
      const last = await store.highestIdBlock('periods')
      return last === undefined ? undefined : (last + 1) * periodMs
    },
    async record(untilMs) {
      const period = Math.floor(untilMs / periodMs) - 1
      if (period <= recorded) return
      // When it is taken, another process has found the same.
      await store.claimIdBlock('periods', period)
      recorded = period
    },
  }
}
