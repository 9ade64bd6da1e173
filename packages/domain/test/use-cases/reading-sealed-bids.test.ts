import { expect, test } from 'vitest'
import { parseNewAuction } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { dueTime, sealedFields, serveSealed, usesOf } from '../support/sealed.ts'

const [anna, ben] = [toUserId(2), toUserId(3)]

type Served = Awaited<ReturnType<typeof serveSealed>>

/** Another auction of the same seller: with public bids, unless the fields say otherwise. */
async function createOther({ service, clock }: Served, fields: object) {
  const { id } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))
  return usesOf(service, id)
}

const { format: _, pricing: __, ...common } = sealedFields
const publicFields = { ...common, minimumBidIncrement: 1 }

/** The pages of a user's bids: the amounts, which the bids have once, and whether another page follows. */
async function pagesOf({ service }: Served, viewerId: typeof anna | undefined, limit: number) {
  const pages: string[] = []
  let after: { readonly timeMs: number; readonly id: number } | undefined
  do {
    const query = { limit, after: after as never, viewerId } // The cast: it is the position of a page.
    const { items, next } = unwrap(await service.listBidsOfBidder(anna, query))
    pages.push(items.map(({ bid }) => bid.amountMinor / 100).join())
    after = next
  } while (after !== undefined)
  return pages
}

test('the list of a bidder has sealed bids for that bidder only, and no gap for others', async () => {
  const served = await serveSealed()
  const other = await createOther(served, publicFields)
  const place = async ({ bid }: Pick<Served, 'bid'>, amount: number) => {
    served.clock.advance(1)
    unwrap(await bid(2, amount))
  }
  for (const amount of [110, 111]) await place(served, amount)
  await place(other, 120)
  for (let amount = 130; amount < 140; amount++) await place(served, amount)
  for (const amount of [141, 150]) await place(other, amount)
  await place(served, 151)
  expect(await pagesOf(served, ben, 2)).toEqual(['150,141', '120'])
  expect(await pagesOf(served, undefined, 3)).toEqual(['150,141,120'])
  expect((await pagesOf(served, anna, 4)).join()).toBe(
    '151,150,141,139,138,137,136,135,134,133,132,131,130,120,111,110',
  )
})

test('own bids are marked if they were withdrawn, by the bidder or by staff, on whatever page', async () => {
  const served = await serveSealed()
  const { service, auction, bid, withdraw, withdrawOwn } = served
  unwrap(await bid(2, 110))
  unwrap(await withdrawOwn(2))
  unwrap(await bid(2, 120))
  unwrap(await withdraw(2))
  unwrap(await bid(2, 130))
  const marks = (bids: readonly { readonly amountMinor: number; readonly isWithdrawn?: true }[]) =>
    bids.map(({ amountMinor, isWithdrawn }) => `${amountMinor / 100}${isWithdrawn ? ' withdrawn' : ''}`)
  const expected = ['130', '120 withdrawn', '110 withdrawn']
  const { items } = unwrap(await service.listBids(auction.id, { limit: 3, viewerId: anna }))
  expect(marks(items)).toEqual(expected)
  expect(marks(await Promise.all(items.map(async ({ id }) => unwrap(await service.readBid(id, anna)))))).toEqual(
    expected,
  )
  const ofBidder: (typeof items)[number][] = []
  let after: never | undefined
  do {
    const page = unwrap(await service.listBidsOfBidder(anna, { limit: 1, viewerId: anna, after }))
    ofBidder.push(...page.items.map((item) => item.bid))
    after = page.next as never
  } while (after !== undefined)
  expect(marks(ofBidder)).toEqual(expected)
})

test('a cursor that names the bid of another user shows nothing', async () => {
  const { service, auction, bid } = await serveSealed()
  unwrap(await bid(2, 110))
  const { id } = unwrap(await bid(3, 120))
  unwrap(await bid(2, 130))
  const page = await service.listBids(auction.id, { limit: 10, viewerId: anna, before: id })
  expect(unwrap(page)).toEqual({ items: [], next: undefined })
})

test('a bid of the same time counts by its sequence, whatever ids two processes gave', async () => {
  const served = await serveSealed()
  const { auction, clock, sealer } = served
  unwrap(await served.bid(2, 110))
  const store: Store = {
    ...served.store,
    // Entries of the same time are listed by their ids, which processes take from separate blocks.
    listBidderEntries: async (...args) => (await served.store.listBidderEntries(...args)).toReversed(),
  }
  unwrap(await served.bid(2, 120))
  const service = createAuctionService({ store, clock, sealer })
  expect(unwrap(await service.readAuction(auction.id, anna)).ownBid).toMatchObject({ amountMinor: 120_00 })
})

test('a reader of another user causes no read of sealed bids', async () => {
  const { store, sealer, clock, bid } = await serveSealed()
  unwrap(await bid(2, 109))
  const { id } = unwrap(await bid(2, 110))
  const asked: string[] = []
  const counting = Object.fromEntries(
    (['findEntries', 'findHeads', 'findAuction', 'listEntries', 'listBidderEntries'] as const).map((name) => [
      name,
      // The cast: it is called with what the operation is called with.
      (...args: never[]) => {
        asked.push(name)
        return (store[name] as (...given: never[]) => unknown)(...args)
      },
    ]),
  )
  const service = createAuctionService({ store: { ...store, ...counting }, clock, sealer })
  const readsOf = async (read: Promise<unknown>) => {
    await read
    return asked.splice(0).sort()
  }
  const missing = toBidId(id + 500)
  expect(await readsOf(service.readBid(id, ben))).toEqual(await readsOf(service.readBid(missing, ben)))
  expect(await readsOf(service.listBidsOfBidder(anna, { limit: 1, viewerId: ben }))).toEqual(['listBidderEntries'])
  expect(await store.listBidderEntries(anna, { limit: 10 })).toEqual([])
})

test('the bids that counted are found by one read of a ledger, for all pages', async () => {
  const { clock, sealer, store, ...served } = await serveSealed()
  const fields = unwrap(parseNewAuction({ ...sealedFields, reveal: 'bids' }, clock.nowMs()))
  const { id } = unwrap(await served.service.createAuction(fields))
  const { bid } = usesOf(served.service, id)
  for (let bidder = 2; bidder < 602; bidder++) unwrap(await bid(bidder, 110 + (bidder % 7)))
  for (let bidder = 2; bidder < 302; bidder++) unwrap(await bid(bidder, 130))
  clock.set(dueTime)
  await served.service.closeDue()
  let reads = 0
  const listEntries: Store['listEntries'] = (...args) => {
    reads += 1
    return store.listEntries(...args)
  }
  const service = createAuctionService({ store: { ...store, listEntries }, clock, sealer })
  const bidders: number[] = []
  let before: number | undefined
  do {
    const page = unwrap(await service.listBids(id, { limit: 100, before }))
    bidders.push(...page.items.map(({ bidderId }) => bidderId))
    before = page.next
  } while (before !== undefined)
  const expected = [
    ...Array.from({ length: 300 }, (_, n) => 301 - n),
    ...Array.from({ length: 300 }, (_, n) => 601 - n),
  ]
  expect(bidders).toEqual(expected)
  // 901 entries.
  expect(reads).toBe(2)
})

test('a sealed auction needs a store that finds the bids of a bidder', async () => {
  const { clock, sealer, store } = await serveSealed()
  const { listBidderEntries: _, ...lacking } = store
  const service = createAuctionService({ store: lacking, clock, sealer })
  const fields = unwrap(parseNewAuction(sealedFields, clock.nowMs()))
  await expect(service.createAuction(fields)).rejects.toMatchObject({ code: 'unsupported-by-store' })
})

test('a read of no bid, and of an entry that is none, finds nothing', async () => {
  const { service, bid, withdrawOwn } = await serveSealed()
  const { id } = unwrap(await bid(2, 110))
  unwrap(await withdrawOwn(2))
  for (const other of [toBidId(id + 1), toBidId(id + 5)])
    expect(await service.readBid(other, anna)).toEqual({ ok: false, refusal: { code: 'bid-not-found', bidId: other } })
})

test('reads that find no end in time fail instead of going on', async () => {
  const { store, sealer, clock, auction, bid } = await serveSealed()
  const { id } = unwrap(await bid(2, 110))
  const [entry] = await store.listEntries(auction.id, { limit: 1 })
  let reads = 0
  const listBidderEntries: Store['listBidderEntries'] = async (_, { limit }) => {
    reads += 1
    clock.advance(100)
    // The cast: the entry exists. Its copies are bids on other auctions.
    return Array.from({ length: limit }, (__, index) => ({ ...entry, auctionId: auction.id + 1 + index }) as Entry)
  }
  const service = createAuctionService({ store: { ...store, listBidderEntries }, clock, sealer })
  const late = { code: 'store-unavailable', message: expect.stringContaining('in time') }
  await expect(service.readAuction(auction.id, anna)).rejects.toMatchObject(late)
  await expect(service.listBids(auction.id, { limit: 5, viewerId: anna })).rejects.toMatchObject(late)
  await expect(service.readBid(id, anna)).rejects.toMatchObject(late)
  expect(reads).toBeLessThan(200)
})
