import { isUnreadableStored } from '@auction/domain/errors'
import { momentAt, toMoment } from '@auction/domain/moment'
import { toCurrency } from '@auction/domain/money'
import type { Entry, Store } from '@auction/domain/store'
import { parseStoredEntry } from '@auction/domain/stored'
import { sampleAuction, sampleEntry, sampleKey, strangeTexts } from '../samples.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  due,
  entryIdsOf,
  headOf,
  keepingEntries,
  ledgerOf,
  listed,
  range,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

const most = Number.MAX_SAFE_INTEGER
const metadata = { 'a.b': 'c', a: 'd', _id: 'e', '.': 'f', constructor: 'g', 7: 'h' }
const fields = { currency: toCurrency('USD'), admits: 'listed' }
const whole = { ...fields, title: strangeTexts.join(), claims: true, metadata }
const noBidders = { admitted: 0, pending: 0, refused: 0 }

/** Bidders up to the largest entry of a register. User 2 is one of them, who bids in samples. */
const bidders = range(1, 100).map((index) => ({
  bidderId: index === 1 ? most : index,
  status: index % 2 === 0 ? 'admitted' : 'refused',
  ...(index > 2 && { limitMinor: 1e15 - index, paddle: `№ ${index}.${index}`, was: 'pending' }),
}))

/** A stored entry of another kind, of the second version, parsed as stores parse it. */
const entryOf = (
  kind: string,
  id: number,
  auctionId: number,
  sequence: number,
  event: object,
  state: object,
): Entry => {
  const key = { requestKey: sampleKey(`${kind}-${id}`) }
  return parseStoredEntry({ version: 2, id, auctionId, kind, sequence, atMs: sequence, ...key, event, state })
}

/** The first entries of the register with this id, of which the last one is the largest. */
const registerLedger = (registerId: number, afterId = 0): readonly Entry[] =>
  [
    { type: 'register-created', ...whole, editor: 'staff' },
    { type: 'bidders-set', bidders: [{ bidderId: 2, status: 'pending' }], editor: 'staff' },
    { type: 'bidders-set', bidders, editor: 'staff' },
  ].map((event, index) => {
    const counts = index === 0 ? noBidders : { admitted: 50, pending: 1e6, refused: 50 }
    const state = { counts, atMs: index + 1 }
    return entryOf('register', afterId + index + 1, registerId, index + 1, event, state)
  })

const sale = {
  ...{ title: 'Sale', currency: toCurrency('USD'), intervalSeconds: 60, lotsPerInterval: 1 },
  startTime: momentAt(0),
  firstEndTime: toMoment('2030-02-07T12:00:00.5Z'),
}
const lotDefaults = JSON.stringify({ startingPrice: 0.1, metadata: { ...metadata, texts: strangeTexts.join() } })
const wholeSale = {
  ...sale,
  title: strangeTexts.join(),
  registerId: most,
  registerAdmits: 'everyone',
  lotDefaults,
  metadata,
}

/** Lots up to the largest entry of a sale. */
const lots = range(1, 100).map((index) => ({
  lot: index % 2 === 0 ? `${99_999 - index}Z` : `${index}`,
  auctionId: most - index,
  digest: `${'f'.repeat(16)}-${index}`,
  ...(index > 2 && { isKnown: true }),
}))

/** The first entries of the sale with this id, of which one is the largest. */
const saleLedger = (saleId: number): readonly Entry[] =>
  [
    { type: 'sale-created', ...wholeSale, editor: 'staff' },
    { type: 'lots-added', lots, editor: 'staff' },
    { type: 'sale-extended', seconds: 2_592_000, reason: strangeTexts.join(), editor: 'staff' },
  ].map((event, index) => {
    const state = { lotCount: 100, extensionCount: 1, extendedSeconds: 1e6, atMs: index + 1 }
    return entryOf('sale', index + 1, saleId, index + 1, event, state)
  })

type Listed = 'register' | 'sale'

/** What directories list: the first of each has all members, and the last none that is optional. */
const listedFields = {
  register: [whole, { ...fields, metadata: {} }, fields],
  sale: [wholeSale, { ...sale, metadata: {} }, sale],
} as const

/** The lines of a directory. */
const directory = (listed: Listed, auctionId: number): readonly Entry[] =>
  listedFields[listed].map((fields, index) => {
    const event = { type: `${listed}-listed`, id: most - index, createdAtMs: 0, fields, editor: 'staff' }
    return entryOf('directory', index + 1, auctionId, index + 1, event, { count: index + 1, atMs: index + 1 })
  })

/** Ledgers need no auction: those of other kinds have none. */
export function otherLedgers(suite: Suite): void {
  const keeps = keepingEntries(suite)
  const first = (ledger: readonly Entry[]) =>
    ledger.map((entry, index) => ({ ...entry, auctionId: auctionIdOf(index + 1), sequence: 1 }))
  keeps('keeps the entries of registers exactly, up to 100 bidders in one', first(registerLedger(1)))
  keeps('keeps the entries of sales exactly, up to 100 lots in one', first(saleLedger(1)))
  for (const listed of ['register', 'sale'] as const)
    keeps(`keeps the lines of the directory of ${listed}s exactly`, first(directory(listed, 1)))
  ledgers(suite)
  unknownKind(suite)
}

function ledgers({ test, expect }: Suite): void {
  // The reserved ids of directories are the largest ones.
  for (const [name, ledger] of [
    ['a register with the id 5', registerLedger(5)],
    ['a sale with the id 5', saleLedger(5)],
    [`the directory with the id ${most}`, directory('register', most)],
    [`the directory with the id ${most - 1}`, directory('sale', most - 1)],
  ] as const) {
    test(`stores and reads the ledger of ${name}, and shows no auction for it`, async ({ store }) => {
      const [one, two, three] = ledger as readonly [Entry, Entry, Entry]
      const { auctionId: id } = one
      expect(await store.append([one, two])).toBe(2)
      expect(await store.append([three])).toBe(1)
      const taken = [
        sampleEntry({ id: 9, auctionId: id, sequence: 3 }),
        sampleEntry({ id: 2, auctionId: 7 }),
        { ...sampleEntry({ id: 9, auctionId: id, sequence: 4 }), requestKey: sampleKey(`${one.kind}-1`) },
        { ...three, sequence: 4 },
      ]
      for (const entry of taken) expect(await store.append([entry])).toBe(0)
      expect(await ledgerOf(store, id)).toStrictEqual(ledger)
      expect(await store.listEntries(id, { limit: 1, before: 3 })).toStrictEqual([two])
      expect(await headOf(store, id)).toStrictEqual(three)
      expect(await store.findEntries(entryIdsOf([2]))).toStrictEqual([two])
      expect(await store.findEntriesByKey([sampleKey(`${one.kind}-1`)])).toStrictEqual([one])
      await store.updateAgenda([due(id, 1)])
      await store.addTitleWords?.(id, ['desk'])
      expect(await store.findAuction(id)).toBe(undefined)
      expect(await store.findAuctions({ ids: [id] })).toStrictEqual([])
      for (const order of ['newest', 'agenda', 'ended'] as const) expect(await listed(store, { order })).toEqual([])
    })
  }

  test('lists no entry of a register among the bids of its bidders, and reads both kinds together', async ({
    store,
  }) => {
    const register = registerLedger(5, 10)
    await store.insertAuction(sampleAuction())
    await store.append([sampleEntry()])
    await store.append(register)
    const own = [sampleEntry()]
    expect((await store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 9 })) ?? own).toStrictEqual(own)
    const heads = await store.findHeads(auctionIdsOf([1, 5]))
    expect(heads.toSorted((a, b) => a.id - b.id)).toStrictEqual([sampleEntry(), register[2]])
  })

  test('reports the appends of auctions among those of registers, if it has appendedSince', async (subject) => {
    const [store, other] = [subject.store, await otherHandle(subject)]
    const since = await store.appendedSince?.(undefined)
    expect(await other.append(registerLedger(5, 10))).toBe(3)
    expect(await other.append([sampleEntry()])).toBe(1)
    const { appended = [] } = (await store.appendedSince?.(since?.mark)) ?? {}
    const known = appended.filter(({ auctionId }) => auctionId !== auctionIdOf(5))
    if (appended.length > 0) expect(known).toStrictEqual([{ auctionId: auctionIdOf(1), sequence: 1 }])
  })
}

const readsOf = (store: Store, { id, auctionId, requestKey }: Entry) => [
  store.findHeads([auctionId]),
  store.findEntries([id]),
  store.findEntriesByKey(requestKey === undefined ? [] : [requestKey]),
  store.listEntries(auctionId, { limit: 1 }),
]

/** An entry of a known kind, of a version that is not known. */
export function laterRegister({ test, expect }: Suite): void {
  test('fails for an entry of a register of a later version, and reads the other entries', async (subject) => {
    const ledger = registerLedger(5)
    const [one, two, three] = ledger as readonly [Entry, Entry, Entry]
    await subject.store.append(ledger)
    await subject.damage?.('entry', three.id, 'another version')
    for (const read of readsOf(subject.store, three)) {
      const found = await read.catch((error: unknown) => error)
      expect(isUnreadableStored(found) ? found.kind : found).toBe('entry')
    }
    expect(await subject.store.listEntries(one.auctionId, { limit: 2, before: 3 })).toStrictEqual([two, one])
  })
}

function unknownKind({ test, expect }: Suite): void {
  test('returns an entry of an unknown kind of ledger as it was stored, or fails, and keeps its keys', async ({
    store,
  }) => {
    // The cast: the types have only the kinds of this version, and a later one has written it.
    const { state: _, ...others } = sampleEntry({ id: 2, auctionId: 2, requestKey: 'a' })
    const unknown = { ...others, event: { type: 'bought', buyerId: 2 }, kind: 'unknown' } as unknown as Entry
    await store.append([sampleEntry()])
    expect(await store.append([unknown])).toBe(1)
    for (const read of readsOf(store, unknown)) {
      const found = await read.catch((error: unknown) => error)
      if (!isUnreadableStored(found)) expect(found).toStrictEqual([unknown])
    }
    // User 2 has bought in the one, and bid in the other.
    const own = [sampleEntry()]
    expect((await store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 2 })) ?? own).toStrictEqual(own)
    expect(await headOf(store)).toStrictEqual(sampleEntry())
    expect(await store.append([sampleEntry({ id: 3, auctionId: 2 })])).toBe(0)
    expect(await store.append([sampleEntry({ id: 3, auctionId: 3, requestKey: 'a' })])).toBe(0)
  })
}
