import { sampleEntries, sampleEntry } from '../samples.ts'
import { ledgerOf, range } from './helpers.ts'
import {
  type CallOutcome,
  fill,
  operations,
  operationsOf,
  outcomeOf,
  outcomesOf,
  readsOf,
  unavailable,
} from './operations.ts'
import type { Suite } from './suite.ts'

/** A store that is closed completes the calls in flight, and refuses later ones. */
export function closing(suite: Suite): void {
  suite.needing('closeStore', () => declare(suite))
}

/** Earlier results reach their callers before this resolves. */
export async function earlierCallers(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await undefined
}

function declare({ test, expect }: Suite): void {
  test('waits for calls in flight when it is closed, and keeps what they return', async (subject) => {
    const { store, closeStore, openSecondHandle, reopen } = subject
    await fill(store)
    const ledgers = range(11, 40).map((auctionId) => sampleEntries(3, { auctionId, afterId: auctionId * 100 }))
    let underWay = 0
    const begun = <Value>(call: () => Promise<Value>) => {
      underWay += 1
      return outcomeOf(call).finally(() => {
        underWay -= 1
      })
    }
    const appends = ledgers.map((ledger) => begun(() => store.append(ledger)))
    const others = Object.values(readsOf(store)).map((call) => begun(() => call(store)))
    await closeStore?.()
    await earlierCallers()
    expect(underWay).toBe(0)
    const appended = await Promise.all(appends)
    const wrong = [...appended, ...(await Promise.all(others))].filter(
      (outcome) => 'failed' in outcome && outcome.failed !== unavailable,
    )
    expect(wrong).toEqual([])
    const later = await (reopen ?? openSecondHandle)?.()
    for (const [index, ledger] of ledgers.entries()) {
      const outcome = appended[index]
      if (outcome === undefined || 'failed' in outcome) continue
      expect(outcome).toEqual({ returned: 3 })
      if (later !== undefined) expect(await ledgerOf(later, 11 + index)).toStrictEqual(ledger)
    }
  })

  // Alone, because a close that waits for other calls may take long enough for this one.
  for (const [name, call] of Object.entries(operations)) {
    test(`waits for ${name} in flight when it is closed`, async ({ store, closeStore }) => {
      await fill(store)
      const outcomes: CallOutcome[] = []
      void outcomeOf(() => call(store)).then((outcome) => outcomes.push(outcome))
      await closeStore?.()
      await earlierCallers()
      const right = outcomes.filter((outcome) => 'returned' in outcome || outcome.failed === unavailable)
      expect(right.length).toBe(1)
    })
  }

  test('refuses every call with the code store-unavailable after it is closed', async ({ store, closeStore }) => {
    await fill(store)
    await closeStore?.()
    const outcomes = await outcomesOf(operationsOf(store), store)
    expect(
      Object.entries(outcomes).filter(([, outcome]) => !('failed' in outcome) || outcome.failed !== unavailable),
    ).toEqual([])
  })

  test('leaves other handles open when it is closed', async ({ store, closeStore, openSecondHandle }) => {
    await fill(store)
    const other = await openSecondHandle?.()
    await closeStore?.()
    if (other === undefined) return
    expect(await other.append([sampleEntry({ id: 9, auctionId: 9 })])).toBe(1)
    expect(await ledgerOf(other, 9)).toStrictEqual([sampleEntry({ id: 9, auctionId: 9 })])
  })

  test('closes once, for any number of calls of close', async ({ store, closeStore }) => {
    await fill(store)
    await Promise.all([closeStore?.(), closeStore?.()])
    await closeStore?.()
    expect(await outcomeOf(() => store.claimNextIdBlock('entries'))).toEqual({ failed: unavailable })
  })
}
