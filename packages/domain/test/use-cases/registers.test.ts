import { createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import {
  sampleBidders,
  sampleNewAuction,
  sampleNewBid,
  sampleNewRegister,
  samplePurchase,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { admissionOf } from '../../src/register/bidder-list.ts'
import { parseBidder, parseBidders } from '../../src/register/fields.ts'
import { StoreUnavailableError } from '../../src/store/errors.ts'
import type { BidderView } from '../../src/use-cases/read-registers.ts'
import { toCurrency } from '../../src/values/currency.ts'
import { type RegisterId, toRegisterId, toUserId } from '../../src/values/ids.ts'
import { type Decimal, toAmountMinor } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { codeOf, createTestService, keyOf, storeWith, type TestService } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const editor = 'clerk'

const createRegister = async (service: TestService, fields: object = {}) =>
  unwrap(await service.createRegister({ register: sampleNewRegister(fields), editor }))

const list = (service: TestService, registerId: RegisterId, bidders: readonly object[], retry?: string) =>
  service.setBidders(
    { registerId, bidders: sampleBidders(...bidders), editor },
    retry === undefined ? undefined : keyOf(retry),
  )

const set = (service: TestService, registerId: RegisterId, bidderId: number, fields: object) =>
  service.setBidders({ registerId, bidders: unwrap(parseBidder(fields, toUserId(bidderId))), editor })

/** A service with a register and an auction that has it. */
async function serveRegistered(fields: object = {}, auctionFields: object = {}, service = createTestService()) {
  const register = await createRegister(service, fields)
  const auction = unwrap(
    await service.createAuction(sampleNewAuction({ registerId: register.id, ...auctionFields } as object)),
  )
  const bid = (bidderId: number, amount: number, maximumAmount?: number) =>
    service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount, maximumAmount } as never))
  return { service, register, auction, bid }
}

const admitted = (bidderId: number, more: object = {}) => ({ bidderId, status: 'admitted', ...more })

describe('a register', () => {
  test('is created once for a key, and listed newest first', async () => {
    const service = createTestService()
    const register = sampleNewRegister({ currency: 'JPY', admits: 'everyone', title: 'Coins', claims: true })
    const first = await service.createRegister({ register, editor }, keyOf('r'))
    expect(await service.createRegister({ register, editor }, keyOf('r'))).toEqual({ ...first, isRepeated: true })
    const other = sampleNewRegister({ currency: 'JPY' })
    expect(codeOf(await service.createRegister({ register: other, editor }, keyOf('r')))).toBe('idempotency-key-reused')
    const { id } = unwrap(first)
    expect(unwrap(await service.readRegister(id))).toStrictEqual({
      register: unwrap(first),
      counts: { admitted: 0, pending: 0, refused: 0 },
    })
    const second = await createRegister(service)
    const page = unwrap(await service.listRegisters({ limit: 1 }))
    expect(page.items).toStrictEqual([second])
    expect(unwrap(await service.listRegisters({ limit: 1, before: page.next }))).toEqual({
      items: [unwrap(first)],
      next: undefined,
    })
  })

  test('is not found by the id of an auction, and no bid has the id of one of its entries', async () => {
    const { service, register, auction } = await serveRegistered()
    const ofAuction = toRegisterId(auction.id)
    expect(codeOf(await service.readRegister(ofAuction))).toBe('register-not-found')
    expect(codeOf(await set(service, ofAuction, 2, { status: 'admitted' }))).toBe('register-not-found')
    const other = sampleNewAuction({ registerId: ofAuction } as object)
    expect(await service.createAuction(other)).toMatchObject({
      refusal: { code: 'validation-failed', errors: [{ pointer: '/registerId' }] },
    })
    expect(codeOf(await service.readAuction(register.id as number as typeof auction.id))).toBe('auction-not-found')
    const [head] = await service.store.findHeads([register.id as number as typeof auction.id])
    expect(codeOf(await service.readBid(head?.id as never))).toBe('bid-not-found')
  })

  test('has another currency than an auction only if that is refused', async () => {
    const service = createTestService()
    const { id } = await createRegister(service, { currency: 'EUR' })
    expect(await service.createAuction(sampleNewAuction({ registerId: id } as object))).toMatchObject({
      refusal: { errors: [{ pointer: '/registerId', message: expect.stringContaining('EUR') }] },
    })
  })
})

describe('bidders', () => {
  test('are set whole, all or none, and the same content again records nothing', async () => {
    const { service, register } = await serveRegistered()
    const { id } = register
    unwrap(await list(service, id, [admitted(2, { limit: 50, paddle: '12' }), { bidderId: 3, status: 'pending' }]))
    unwrap(await set(service, id, 2, { status: 'refused' }))
    expect(unwrap(await service.readBidder(id, toUserId(2))).bidder).toStrictEqual({ bidderId: 2, status: 'refused' })
    unwrap(await set(service, id, 2, { status: 'refused' }))
    const entries = await service.store.listEntries(id as never, { limit: 10 })
    expect(entries.map(({ event, state }) => [event.type, (state as { counts?: unknown }).counts])).toEqual([
      ['bidders-set', { admitted: 0, pending: 1, refused: 1 }],
      ['bidders-set', { admitted: 1, pending: 1, refused: 0 }],
      ['register-created', { admitted: 0, pending: 0, refused: 0 }],
    ])
    // The paddle stays that of its bidder forever.
    expect(await list(service, id, [admitted(4), admitted(3, { paddle: '12' })])).toMatchObject({
      refusal: { code: 'paddle-taken', bidderId: 3, paddle: '12' },
    })
    expect(unwrap(await service.readBidder(id, toUserId(4))).bidder).toBeUndefined()
    // All limits are reported before a paddle is.
    const wrong = [admitted(3, { paddle: '12' }), admitted(4, { limit: 1.234 }), admitted(5, { limit: 0.001 })]
    expect(await list(service, id, wrong)).toMatchObject({
      refusal: { errors: [{ pointer: '/bidders/1/limit' }, { pointer: '/bidders/2/limit' }] },
    })
    expect(await set(service, id, 4, { status: 'admitted', limit: 1.234 })).toMatchObject({
      refusal: { errors: [{ pointer: '/bidders/0/limit' }] },
    })
  })

  test('are set once for a key', async () => {
    const { service, register } = await serveRegistered()
    const first = await list(service, register.id, [admitted(2, { limit: 5.5 })], 'k')
    unwrap(await list(service, register.id, [{ bidderId: 2, status: 'refused' }]))
    expect(await list(service, register.id, [admitted(2, { limit: 5.5 })], 'k')).toEqual({ ...first, isRepeated: true })
    expect(codeOf(await list(service, register.id, [admitted(2)], 'k'))).toBe('idempotency-key-reused')
    expect(unwrap(await service.readBidder(register.id, toUserId(2))).bidder?.status).toBe('refused')
  })

  test('are remembered for a key that changes nothing, so that a later repetition changes nothing, either', async () => {
    const { service, register } = await serveRegistered()
    const { id } = register
    unwrap(await list(service, id, [admitted(2)]))
    const first = await list(service, id, [admitted(2)], 'same')
    unwrap(await set(service, id, 2, { status: 'refused' }))
    expect(await list(service, id, [admitted(2)], 'same')).toEqual({ ...first, isRepeated: true })
    expect(unwrap(await service.readBidder(id, toUserId(2))).bidder?.status).toBe('refused')
    expect(unwrap(await service.readRegister(id)).counts).toEqual({ admitted: 0, pending: 0, refused: 1 })
    // Whether bids are withdrawn belongs to the request, too.
    const refusing = (fields: object) => {
      const bidders = unwrap(parseBidder({ status: 'refused', ...fields }, toUserId(2)))
      return service.setBidders({ registerId: id, bidders, editor }, keyOf('refusing'))
    }
    unwrap(await refusing({}))
    expect(codeOf(await refusing({ withdrawBids: true, reason: 'Unpaid.' }))).toBe('idempotency-key-reused')
  })

  test('are as the caller expects, or the change is refused, and a trial changes nothing', async () => {
    const { service, register } = await serveRegistered()
    const bidders = unwrap(parseBidder({ status: 'admitted' }, toUserId(2)))
    const request = { registerId: register.id, bidders, editor }
    expect(codeOf(await service.setBidders({ ...request, isTrial: true }))).toBe('accepted')
    const ifNew = { ...request, isExpected: ({ bidder }: BidderView) => bidder === undefined }
    expect(codeOf(await service.setBidders(ifNew))).toBe('accepted')
    expect(codeOf(await service.setBidders(ifNew))).toBe('precondition-failed')
  })

  test('are listed in the order in which they were listed first, by status and paddle', async () => {
    const { service, register } = await serveRegistered()
    const { id } = register
    const bidders = [9, 2, 7, 3].map((bidderId) => admitted(bidderId, { paddle: `P${bidderId}` }))
    unwrap(await list(service, id, bidders))
    unwrap(await set(service, id, 2, { status: 'refused' }))
    const first = unwrap(await service.listBidders(id, { limit: 2, status: 'admitted' }))
    expect(first.items.map(({ bidderId }) => bidderId)).toEqual([9, 7])
    const rest = unwrap(await service.listBidders(id, { limit: 2, status: 'admitted', after: first.next }))
    expect([rest.items.map(({ bidderId }) => bidderId), rest.next]).toEqual([[3], undefined])
    expect(unwrap(await service.listBidders(id, { limit: 9, paddle: 'P7' })).items).toMatchObject([{ bidderId: 7 }])
  })

  test('are at most 20,000, which a new process reads by pages', async () => {
    const store = createMemoryStore()
    const { service, register, auction } = await serveRegistered({}, {}, createTestService({ store }))
    for (let from = 0; from < 20_000; from += 100) {
      const bidders = Array.from({ length: 100 }, (_, index) => admitted(from + index + 1))
      unwrap(await list(service, register.id, bidders))
    }
    expect(codeOf(await set(service, register.id, 20_001, { status: 'admitted' }))).toBe('too-many-bidders')
    unwrap(await set(service, register.id, 20_000, { status: 'refused' }))
    const other = createTestService({ store })
    const bid = (bidderId: number) => other.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount: 100 }))
    expect([codeOf(await bid(20_000)), codeOf(await bid(19_999))]).toEqual(['not-admitted', 'accepted'])
    expect(unwrap(await other.readRegister(register.id)).counts).toEqual({ admitted: 19_999, pending: 0, refused: 1 })
  })
})

describe('admission', () => {
  const usd = toCurrency('USD')
  const limitMinor = toAmountMinor(500)
  const claim = { limit: 9 as Decimal }
  test.each([
    ['listed', undefined, undefined, { registration: 'none' }],
    ['everyone', undefined, undefined, {}],
    ['listed', 'pending', undefined, { registration: 'pending' }],
    ['everyone', 'pending', undefined, { registration: 'pending' }],
    ['everyone', 'refused', undefined, { registration: 'refused' }],
    ['listed', 'admitted', undefined, { limitMinor, paddle: '7' }],
    ['listed', undefined, claim, { byClaim: true, limitMinor: 900 }],
    ['listed', 'pending', {}, { byClaim: true }],
    ['listed', 'admitted', claim, { limitMinor, paddle: '7' }],
    ['everyone', 'refused', claim, { registration: 'refused' }],
    ['listed', undefined, { limit: 0.001 as Decimal }, { registration: 'none' }],
    // A claim whose limit is not known may be for less than the next bid.
    ['everyone', undefined, { limit: 0.001 as Decimal }, { registration: 'none' }],
    ['everyone', undefined, 'invalid', { registration: 'none' }],
    ['everyone', 'pending', 'invalid', { registration: 'pending' }],
    ['listed', 'admitted', 'invalid', { limitMinor, paddle: '7' }],
    ['everyone', undefined, claim, { byClaim: true, limitMinor: 900 }],
  ] as const)('%s, %s, with the claim %o, is %o', (admits, status, claimed, expected) => {
    const bidder = status && { bidderId: toUserId(2), status, limitMinor, paddle: '7' }
    const register = { admits, claims: true, currency: usd } as const
    expect(admissionOf(register, bidder, 3, claimed)).toStrictEqual({ registerSequence: 3, ...expected })
  })

  test('by a claim needs a register that allows claims', () => {
    const register = { admits: 'listed', currency: usd } as const
    expect(admissionOf(register, undefined, 3, claim)).toStrictEqual({ registerSequence: 3, registration: 'none' })
  })
})

describe('an auction with a register', () => {
  test('takes the bids of those whom it admits, and records how', async () => {
    const { service, register, auction, bid } = await serveRegistered({ claims: true })
    expect(auction).toMatchObject({ registerId: register.id, registerAdmits: 'listed' })
    expect(await bid(2, 100)).toMatchObject({ refusal: { code: 'not-admitted', bidderId: 2, registration: 'none' } })
    unwrap(await list(service, register.id, [admitted(2, { limit: 120, paddle: 'A1' })]))
    unwrap(await bid(2, 100))
    // A limit counts what the bidder risks.
    expect(await bid(2, 110, 121)).toMatchObject({ refusal: { code: 'above-limit', limitMinor: 12_000 } })
    unwrap(await bid(2, 110, 120))
    const claims = new Map([[register.id, { limit: 200 as Decimal }]])
    const claimed = (amount: number) =>
      service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 3, amount }), undefined, undefined, claims)
    expect(codeOf(await claimed(201))).toBe('above-limit')
    unwrap(await claimed(130))
    const entries = await service.store.listEntries(auction.id, { limit: 9 })
    expect(entries.map(({ event }) => 'admission' in event && event.admission)).toEqual([
      { registerSequence: 2, byClaim: true, limitMinor: 20_000 },
      { registerSequence: 2, limitMinor: 12_000 },
      { registerSequence: 2, limitMinor: 12_000 },
    ])
    unwrap(await set(service, register.id, 3, { status: 'refused' }))
    expect(codeOf(await claimed(140))).toBe('not-admitted')
  })

  test('takes no bid after another process has returned a refusal, and repeats an earlier one by its key', async () => {
    const store = createMemoryStore()
    const { service, register, auction } = await serveRegistered({}, {}, createTestService({ store }))
    unwrap(await list(service, register.id, [admitted(2), admitted(3)]))
    const other = createTestService({ store })
    const bid = (amount: number, key: string) =>
      other.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount }), keyOf(key))
    const first = await bid(100, 'a')
    unwrap(await set(service, register.id, 2, { status: 'refused' }))
    expect(codeOf(await bid(105, 'b'))).toBe('not-admitted')
    expect(await bid(100, 'a')).toEqual({ ...first, isRepeated: true })
    // A lower limit leaves a standing maximum.
    unwrap(await other.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 3, amount: 110, maximumAmount: 500 })))
    unwrap(await set(service, register.id, 3, { status: 'admitted', limit: 200 }))
    const raise = sampleNewBid({ auctionId: auction.id, bidderId: 3, amount: 110, maximumAmount: 600 })
    expect(codeOf(await other.placeBid(raise))).toBe('above-limit')
    expect(unwrap(await other.readAuction(auction.id))).toMatchObject({ leaderId: 3, leaderMaximumMinor: 50_000 })
  })

  test('admits buyers, up to the price', async () => {
    const { service, register, auction } = await serveRegistered({ admits: 'everyone' }, { buyNowPrice: 500 })
    const buy = (buyerId: number) => service.buyNow({ auctionId: auction.id, purchase: samplePurchase(buyerId) })
    unwrap(await list(service, register.id, [admitted(2, { limit: 499.99 }), { bidderId: 3, status: 'refused' }]))
    expect([codeOf(await buy(2)), codeOf(await buy(3)), codeOf(await buy(4))]).toEqual([
      ...['above-limit', 'not-admitted', 'accepted'],
    ])
  })

  test('places no bid if the register cannot be read', async () => {
    let isDown = false
    const store = storeWith((right) => ({
      async findHeads(ids, signal) {
        if (isDown && ids.some((id) => (id as number) === (register.id as number)))
          throw new StoreUnavailableError('down')
        return right.findHeads(ids, signal)
      },
    }))
    const { register, bid } = await serveRegistered({ admits: 'everyone' }, {}, createTestService({ store }))
    unwrap(await bid(2, 100))
    isDown = true
    await expect(bid(2, 105)).rejects.toMatchObject({ code: 'store-unavailable', outcome: 'nothing-changed' })
    isDown = false
    unwrap(await bid(2, 105))
  })

  test('costs one read more for all bids of a moment, and an auction without a register none', async () => {
    const counting = createCountingStore()
    const { bid } = await serveRegistered({ admits: 'everyone' }, {}, createTestService({ store: counting.store }))
    unwrap(await bid(2, 100))
    const before = counting.calls.length
    await Promise.all([bid(3, 110), bid(4, 120), bid(5, 130)])
    // The first of them is appended while the others wait.
    expect(counting.calls.slice(before)).toEqual(['findHeads', 'append', 'append'])
  })

  test('shows the paddles of its bids, where it shows paddles', async () => {
    const { service, register, auction, bid } = await serveRegistered({}, { showPaddles: true })
    unwrap(await list(service, register.id, [admitted(2, { paddle: '12' }), admitted(3, { paddle: '14' })]))
    unwrap(await bid(2, 100, 150))
    expect(unwrap(await bid(3, 110))).toMatchObject({ paddle: '14', leaderPaddle: '12' })
    const bids = unwrap(await service.listBids(auction.id, { limit: 9 })).items
    expect(bids.map(({ bidderId, paddle }) => [bidderId, paddle])).toEqual([
      ...[
        [2, '12'],
        [3, '14'],
        [2, '12'],
      ],
    ])
    service.clock.set('2030-02-07T12:01:00Z')
    await service.closeDue()
    expect(unwrap(await service.readAuction(auction.id)).result).toMatchObject({ winnerId: 2, paddle: '12' })
  })

  test('refuses a sealed bid above the limit when it is placed, and keeps no limit next to one', async () => {
    const service = createTestService({ sealer: createMemorySealer() })
    const fields = { format: 'sealed', pricing: 'first', minimumBidIncrement: undefined }
    const { register, auction, bid } = await serveRegistered({}, fields, service)
    unwrap(await list(service, register.id, [admitted(2, { limit: 120 })]))
    expect(codeOf(await bid(2, 120.01))).toBe('above-limit')
    unwrap(await bid(2, 120))
    const [entry] = await service.store.listEntries(auction.id, { limit: 1 })
    expect(Object(entry?.event).admission).toStrictEqual({ registerSequence: 2 })
  })
})

describe('a refusal with withdrawal of bids', () => {
  test('withdraws them in the open auctions of the register, and runs again when it is repeated', async () => {
    const service = createTestService()
    const register = await createRegister(service, { admits: 'everyone' })
    const create = async (fields: object) => unwrap(await service.createAuction(sampleNewAuction(fields as never)))
    const [one, two, other] = [
      await create({ registerId: register.id }),
      await create({ registerId: register.id }),
      await create({}),
    ]
    for (const { id } of [one, two, other])
      unwrap(await service.placeBid(sampleNewBid({ auctionId: id, bidderId: 2, amount: 100 })))
    const refuse = () => set(service, register.id, 2, { status: 'refused', withdrawBids: true, reason: 'Unpaid.' })
    const first = unwrap(await refuse())
    expect(first.withdrawn).toMatchObject({
      auctions: expect.arrayContaining([
        { auctionId: one.id, outcome: 'withdrawn' },
        { auctionId: two.id, outcome: 'withdrawn' },
      ]),
      more: false,
      settledAtMs: service.clock.nowMs() + 24_000,
    })
    const before = unwrap(await service.readAuction(one.id))
    expect(before).toMatchObject({ leaderId: undefined, repairCount: 1 })
    expect(unwrap(await refuse()).withdrawn?.auctions).toHaveLength(2)
    expect(unwrap(await service.readAuction(one.id))).toEqual(before)
    expect(unwrap(await service.readAuction(other.id))).toMatchObject({ leaderId: 2 })
    const again = sampleNewBid({ auctionId: one.id, bidderId: 2, amount: 100 })
    unwrap(await set(service, register.id, 2, { status: 'admitted' }))
    expect(codeOf(await service.placeBid(again))).toBe('bidder-blocked')
  })

  test('withdraws sealed bids in the auctions in which the bidder has bid', async () => {
    const service = createTestService({ sealer: createMemorySealer() })
    const register = await createRegister(service, { admits: 'everyone' })
    const fields = { format: 'sealed', pricing: 'first', minimumBidIncrement: undefined, registerId: register.id }
    const create = async () => unwrap(await service.createAuction(sampleNewAuction(fields as never)))
    const [one, other] = [await create(), await create()]
    unwrap(await service.placeBid(sampleNewBid({ auctionId: one.id, bidderId: 2, amount: 100 })))
    const refuse = async () =>
      unwrap(await set(service, register.id, 2, { status: 'refused', withdrawBids: true, reason: 'Unpaid.' })).withdrawn
    const expected = { auctions: [{ auctionId: one.id, outcome: 'withdrawn' }], more: false }
    expect([await refuse(), await refuse()]).toMatchObject([expected, expected])
    const repairs = async ({ id }: typeof one) => unwrap(await service.readAuction(id)).repairCount
    expect([await repairs(one), await repairs(other)]).toEqual([1, 0])
  })

  test('is refused before anything is recorded by a store that cannot find the bids of a bidder', async () => {
    const { listBidderEntries: _, ...store } = createMemoryStore()
    const service = createTestService({ store })
    const { id } = await createRegister(service)
    const refusing = set(service, id, 2, { status: 'refused', withdrawBids: true, reason: 'Unpaid.' })
    await expect(refusing).rejects.toMatchObject({ code: 'unsupported-by-store' })
    expect(unwrap(await service.readBidder(id, toUserId(2))).bidder).toBeUndefined()
  })
})

describe('what clients send', () => {
  test.each([
    [{ status: 'refused', withdrawBids: true }, '/reason'],
    [{ status: 'admitted', withdrawBids: true, reason: 'x' }, '/withdrawBids'],
    [{ status: 'admitted', reason: 'x' }, '/reason'],
    [{ status: 'banned' }, '/status'],
    [{ status: 'admitted', paddle: ' 1' }, '/paddle'],
    [{ status: 'admitted', paddle: '12345678901' }, '/paddle'],
    [{ status: 'admitted', limit: -1 }, '/limit'],
    [{ status: 'admitted', bidderId: 4 }, '/bidderId'],
  ])('of a bidder, %o, is refused with the pointer %s', (fields, pointer) => {
    expect(parseBidder(fields, toUserId(2))).toMatchObject({ refusal: { errors: [{ pointer }] } })
  })

  test.each([
    { what: 'none', bidders: [], pointer: '/bidders' },
    { what: 'one twice', bidders: [admitted(2), admitted(2)], pointer: '/bidders/1/bidderId' },
    {
      what: 'a paddle twice',
      bidders: [admitted(2, { paddle: 'a' }), admitted(3, { paddle: 'a' })],
      pointer: '/bidders/1/paddle',
    },
    { what: 'a withdrawal', bidders: [admitted(2, { withdrawBids: true })], pointer: '/bidders/0/withdrawBids' },
    { what: '101', bidders: Array.from({ length: 101 }, (_, index) => admitted(index + 1)), pointer: '/bidders' },
  ])('of bidders, $what, is refused with the pointer $pointer', ({ bidders, pointer }) => {
    expect(parseBidders({ bidders })).toMatchObject({ refusal: { errors: [{ pointer }] } })
  })
})
