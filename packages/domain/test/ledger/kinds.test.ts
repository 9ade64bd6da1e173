import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { sampleKey } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createPaceKeeper } from '../../src/ledger/contention.ts'
import type { LedgerEntry } from '../../src/ledger/entry.ts'
import type { LedgerKind } from '../../src/ledger/kind.ts'
import { createLanes } from '../../src/ledger/lanes.ts'
import { limitsWith } from '../../src/limits.ts'
import { createIdsFromBlocks } from '../../src/store/ids-from-blocks.ts'
import type { Store } from '../../src/store/store.ts'
import { createTimeLimit } from '../../src/time-limit.ts'
import { type AuctionId, type EntryId, toAuctionId } from '../../src/values/ids.ts'
import { accepted, refused } from '../../src/values/result.ts'
import { openTime } from '../support/service.ts'

// A made-up kind: a seller's stock, which has no currency, no auction and no end.

type Stock = { readonly left: number }
type Taken = { readonly type: 'taken'; readonly count: number }
type SoldOut = { readonly code: 'sold-out'; readonly left: number }
type StockTypes = {
  readonly terms: { readonly id: AuctionId; readonly stock: number }
  readonly state: Stock
  readonly command: { readonly type: 'take'; readonly count: number }
  readonly decisions: { readonly take: { readonly event: Taken; readonly refusal: SoldOut } }
  readonly notFound: { readonly code: 'no-stock' }
  readonly entry: LedgerEntry & { readonly kind: 'stock'; readonly event: Taken; readonly state: Stock }
}

const known = toAuctionId(2 ** 53 - 1)

const stock: LedgerKind<StockTypes> = {
  initialState: () => ({ left: 5 }),
  load: async (_, id) => (id === known ? { id, stock: 5 } : undefined),
  notFound: () => ({ code: 'no-stock' }),
  decide: (_, { left }, { count }) =>
    count > left ? refused({ code: 'sold-out', left }) : accepted({ type: 'taken', count }),
  entryOf: ({ id: auctionId }, { left }, { event, ...recording }) => ({
    ...recording,
    ...{ auctionId, kind: 'stock', event, state: { left: left - event.count } },
  }),
  timeOf: (_, __, ___, arrivedAtMs) => arrivedAtMs,
  eventForKey: () => undefined,
  isFinal: () => false,
  isOver: ({ left }) => left === 0,
  idsOf: () => 1,
  isResultOf: ({ event }, { count }) => event.count === count,
  bytesOf: () => 100,
}

/** The lanes of a process. */
function createStockLanes(store: Store<StockTypes['entry']>, onWritten: () => void = () => undefined) {
  const clock = createManualClock(openTime)
  const limits = limitsWith()
  const { handoverMs } = createPaceKeeper(clock, limits.deadlineMs)
  const ids = createIdsFromBlocks<EntryId>(store, 'entries', 10)
  const limit = createTimeLimit(clock, limits.deadlineMs)
  const parts = {
    kind: stock,
    store,
    clock,
    ids: { ...ids, nextScattered: ids.next },
    limits,
    limit,
    handoverMs,
    observer: undefined,
    onWritten,
  }
  return createLanes(parts)
}

const take = (count: number) => ({ type: 'take', count }) as const

test('lanes serve a ledger of another kind: they decide, record, share it with other processes, and settle by key', async () => {
  // The cast: a store keeps entries of any kind.
  const store = createMemoryStore() as unknown as Store<StockTypes['entry']>
  const [lanes, others] = [createStockLanes(store), createStockLanes(store)]
  expect(await lanes.submit(toAuctionId(1), take(1))).toEqual(refused({ code: 'no-stock' }))
  const first = await lanes.submit(known, take(2), sampleKey('a'))
  expect(first).toMatchObject({ ok: true, value: { auctionId: known, kind: 'stock', sequence: 1, state: { left: 3 } } })
  expect(await others.submit(known, take(2), sampleKey('a'))).toEqual({ ...first, isRepeated: true })
  expect(await others.submit(known, take(3), sampleKey('a'))).toEqual(refused({ code: 'idempotency-key-reused' }))
  const atOnce = await Promise.all([lanes.submit(known, take(2)), others.submit(known, take(2))])
  expect(atOnce.filter(({ ok }) => ok)).toMatchObject([{ value: { sequence: 2, state: { left: 1 } } }])
  expect(atOnce.filter(({ ok }) => !ok)).toEqual([refused({ code: 'sold-out', left: 1 })])
  expect(await store.listEntries(known, { limit: 9 })).toHaveLength(2)
})

test('a command whose entry is stored is accepted, whatever fails after the write', async () => {
  // The cast: as above.
  const store = createMemoryStore() as unknown as Store<StockTypes['entry']>
  const lanes = createStockLanes(store, () => {
    throw new Error('a fault in what follows a write')
  })
  expect(await lanes.submit(known, take(2))).toMatchObject({ ok: true, value: { sequence: 1 } })
  expect(await lanes.submit(known, take(2))).toMatchObject({ ok: true, value: { sequence: 2 } })
})
