import { registerRefusals, saleRefusals } from '@auction/domain'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { hostProblemTypes } from '@auction/host/responses'
import { expect, test } from 'vitest'
import { problemCodes } from '../src/api/responses/refusals.ts'
import { type ApiResponse, type AuctionClient, newCaller, openAuction, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { correcting, correctingOwn, managing, permissions } from './support/tokens.ts'

// The tests of the domain cover the rules. These tests cover the response to each refusal, once for each message.

const server = await serverOfFile()
/** Binds callers to users, so that it knows owners. */
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

type Step<Returned = unknown> = (auction: AuctionClient) => Promise<Returned>

const bid =
  (fields: object = {}, headers = {}): Step<ApiResponse> =>
  (auction) =>
    auction.placeBid(fields, headers)
const buy =
  (fields: object = {}): Step<ApiResponse> =>
  (auction) =>
    auction.buyNow(fields)
const correct =
  (tag = '*'): Step<ApiResponse> =>
  (auction) =>
    auction.patch(`/api/Auctions/${auction.id}`, { title: 'Oak desk' }, { 'if-match': tag })
const withdraw =
  (fields: object): Step<ApiResponse> =>
  (auction) =>
    auction.post(`/api/Auctions/${auction.id}/Withdrawal`, { bidderId: 2, reason: 'A slip.', ...fields })
const lower: Step<ApiResponse> = (auction) =>
  auction.post(`/api/Auctions/${auction.id}/Reserve`, { reservePrice: 0, reason: 'Agreed.' })
const later = { startTime: '2030-03-01T12:00:00Z', endTime: '2030-03-08T12:00:00Z' }
const relist =
  (fields: object = {}): Step<ApiResponse> =>
  (auction) =>
    auction.post(`/api/Auctions/${auction.id}/Relisting`, { ...later, ...fields })
const offer =
  (...excludedBidderIds: readonly number[]): Step<ApiResponse> =>
  (auction) =>
    auction.post(`/api/Auctions/${auction.id}/Offers`, { excludedBidderIds, endTime: later.endTime })
const cancel: Step<ApiResponse> = (auction) => auction.cancelAuction()
const at =
  (time: string): Step =>
  async () =>
    server.clock.set(time)
const close: Step = () => server.service.closeDue()

/** The bidders 2 and 3 have bid until the end, and 3 wins. */
const sold: readonly Step[] = [bid(), bid({ bidderId: 3, amount: 110 }), at('2030-02-07T12:00:02Z'), close]

const prices = (currentPrice: number, minimumNextBid: number | null) => ({
  currentPrice,
  minimumNextBid,
  currency: 'USD',
})
const buyNowIsLower = (others: ReturnType<typeof prices>, otherwise: string) =>
  problem(409, 'buy-now-is-lower', {
    buyNowPrice: 200,
    ...others,
    message: expect.stringMatching(
      new RegExp(
        `^Auction (\\d+) can be bought now for 200 USD; buy it with POST /api/Auctions/\\1/Purchase${otherwise}\\.$`,
      ),
    ),
  })
const notOffered = (currentPrice: number, minimumNextBid: number, why: string) =>
  problem(409, 'buy-now-not-offered', {
    ...prices(currentPrice, minimumNextBid),
    message: `${why}. The minimum next bid is ${minimumNextBid} USD.`,
  })
const almostMost = 9_999_999_999_999.98
const [startTime, endTime] = ['2030-01-31T12:00:00.500Z', '2030-01-31T13:00:00.500Z']
const boughtAt = '2030-01-31T12:34:56.789Z'
const absent = 9_007_199_254_740_991

const falling = {
  ...{ format: 'falling', minimumBidIncrement: undefined },
  falling: { decrement: 5, intervalSeconds: 600, floorPrice: 60 },
}

type Refusal = {
  readonly when: string
  readonly fields?: object
  readonly before?: readonly Step[]
  readonly send: Step<ApiResponse>
  readonly expected: ReturnType<typeof problem>
  /** Whether the owner sends it, and not staff. */
  readonly isOwners?: true
}

const refusals: readonly Refusal[] = [
  {
    when: 'a bid below the next one, with a high maximum',
    fields: { minimumBidIncrement: 0.1 },
    before: [bid({ amount: 100.2 })],
    send: bid({ bidderId: 3, amount: 100.29, maximumAmount: 900 }),
    expected: problem(409, 'bid-too-low', {
      ...prices(100.2, 100.3),
      message: 'The bid is too low; the minimum next bid is 100.3 USD.',
    }),
  },
  {
    when: 'any bid after the largest one',
    fields: { minimumBidIncrement: 0.02 },
    before: [bid({ amount: almostMost })],
    send: bid({ amount: 9_999_999_999_999.99 }),
    expected: problem(409, 'bid-too-low', {
      ...prices(almostMost, null),
      message: `No higher bid is possible: the bid after ${almostMost} USD would exceed the largest amount.`,
    }),
  },
  {
    when: 'a bid above the maximum next one, with an even higher maximum',
    fields: { maximumBidIncrement: 1_000 },
    before: [bid({ amount: 100.2 })],
    send: bid({ bidderId: 3, amount: 1_100.21, maximumAmount: 9_000 }),
    expected: problem(409, 'bid-too-high', {
      ...{ currentPrice: 100.2, maximumNextBid: 1_100.2, currency: 'USD' },
      message: 'The bid is too high; the maximum next bid is 1100.2 USD. A maximumAmount may be higher.',
    }),
  },
  {
    when: 'a bid between two steps',
    fields: { bidSteps: [{ fromPrice: 100, amounts: [20, 50, 80, 100] }], onlySteps: true },
    send: bid({ amount: 130 }),
    expected: problem(409, 'bid-not-on-step', {
      ...{ lowerAmount: 120, higherAmount: 150, currency: 'USD' },
      message: 'The amount is between two steps; bid 150 or 120 USD.',
    }),
  },
  {
    when: 'a maximum below the current one',
    before: [bid({ maximumAmount: 200 })],
    send: bid({ maximumAmount: 199 }),
    expected: problem(409, 'maximum-not-raised', {
      message:
        'The bidder already leads with this maximum or bid, or a higher one. Send a higher maximumAmount, or omit it to raise the bid.',
    }),
  },
  {
    when: 'a bid with more decimals than the currency',
    fields: { currency: 'JPY' },
    send: bid({ amount: 100.5 }),
    expected: problem(400, 'validation-failed', {
      errors: [{ pointer: '/amount', message: expect.stringContaining('JPY') }],
    }),
  },
  {
    when: 'a bid of the owner',
    send: bid({ bidderId: 1 }),
    expected: problem(409, 'owner-cannot-bid', { message: 'The owner of an auction cannot bid on it.' }),
  },
  {
    when: 'a purchase by the owner',
    fields: { buyNowPrice: 500 },
    send: buy({ buyerId: 1 }),
    expected: problem(409, 'owner-cannot-buy', { message: 'The owner of an auction cannot buy it.' }),
  },
  {
    when: 'a first bid above the buyNowPrice',
    fields: { buyNowPrice: 200 },
    send: bid({ amount: 250 }),
    expected: buyNowIsLower(prices(100, 100), ', or bid less'),
  },
  {
    when: 'a bid above the buyNowPrice, if the increment allows no lower one',
    fields: { buyNowPrice: 200, reservePrice: 150, minimumBidIncrement: 100 },
    before: [bid()],
    send: bid({ bidderId: 3, amount: 200 }),
    expected: buyNowIsLower(prices(100, 200), ''),
  },
  {
    when: 'a purchase without a buyNowPrice',
    send: buy(),
    expected: notOffered(100, 100, 'The auction has no buyNowPrice'),
  },
  {
    when: 'a purchase after a bid',
    fields: { buyNowPrice: 500 },
    before: [bid()],
    send: buy(),
    expected: notOffered(100, 105, 'The auction has bids, which ends the buy-now offer'),
  },
  {
    when: 'a purchase after the reserve is met',
    fields: { buyNowPrice: 500, reservePrice: 300 },
    before: [bid({ amount: 304.99 })],
    send: buy(),
    expected: notOffered(304.99, 309.99, 'The reserve is met, which ends the buy-now offer'),
  },
  {
    when: 'a bid before the start',
    fields: { startTime, endTime },
    before: [at('2030-01-31T12:00:00.499Z')],
    send: bid(),
    expected: problem(409, 'auction-not-started', {
      startTime,
      message: `The auction has not started; it starts at ${startTime}.`,
    }),
  },
  {
    when: 'a cancellation at the end',
    fields: { startTime, endTime },
    before: [at(endTime)],
    send: cancel,
    expected: problem(409, 'auction-ended', { endTime, message: `The auction ended at ${endTime}.` }),
  },
  {
    when: 'a bid after the result is recorded',
    fields: { startTime, endTime },
    before: [at('2030-01-31T13:00:03Z'), close],
    send: bid(),
    expected: problem(409, 'auction-ended', {
      endTime,
      message: `The auction ended at ${endTime}, and its result is final.`,
    }),
  },
  {
    when: 'a purchase after a purchase',
    fields: { buyNowPrice: 500 },
    before: [at(boughtAt), buy()],
    send: buy({ buyerId: 3 }),
    expected: problem(409, 'auction-ended', {
      endTime: boughtAt,
      message: `The auction was bought at ${boughtAt}; its result names the buyer.`,
    }),
  },
  {
    when: 'a bid after a cancellation',
    before: [cancel],
    send: bid(),
    expected: problem(409, 'auction-cancelled', { message: 'The auction was cancelled.' }),
  },
  {
    when: 'a cancellation after a bid',
    before: [bid()],
    send: cancel,
    expected: problem(409, 'auction-has-bids', {
      message: 'The auction has had bids and was created without cancellableUntilEnd, so it cannot be cancelled.',
    }),
  },
  {
    when: 'a correction after a bid',
    before: [bid()],
    send: correct(),
    expected: problem(409, 'auction-has-bids', { message: 'The auction has had bids, so it cannot be corrected.' }),
  },
  {
    when: 'a bid on an auction whose price falls',
    fields: falling,
    send: bid(),
    expected: problem(409, 'bids-not-taken', {
      message: 'The price of this auction falls, so it takes no bids; buy it with POST /api/Auctions/{id}/Purchase.',
    }),
  },
  {
    when: 'a purchase below the price, which falls',
    fields: { ...falling, startTime, endTime },
    before: [at(startTime)],
    send: buy({ atMost: 90 }),
    expected: problem(409, 'price-is-higher', {
      ...{ currentPrice: 100, nextPrice: 95, nextPriceTime: '2030-01-31T12:10:00.500Z', currency: 'USD' },
      message: 'The price is 100 USD, above atMost; it falls to 95 USD at 2030-01-31T12:10:00.500Z.',
    }),
  },
  {
    when: 'a purchase below the lowest price',
    fields: { ...falling, startTime, endTime, falling: { decrement: 5, intervalSeconds: 5, floorPrice: 95 } },
    before: [at('2030-01-31T12:00:05.500Z')],
    send: buy({ atMost: 90 }),
    expected: problem(409, 'price-is-higher', {
      ...{ currentPrice: 95, nextPrice: null, nextPriceTime: null, currency: 'USD' },
      message: 'The price is 95 USD, above atMost; it does not fall further.',
    }),
  },
  {
    when: 'a lower reserve of an auction whose price falls',
    fields: falling,
    send: lower,
    expected: problem(409, 'not-in-format', {
      message: 'An auction with the format falling does not support this request.',
    }),
  },
  {
    when: 'a correction of an auction whose price falls, after its start',
    fields: falling,
    send: correct(),
    expected: problem(409, 'auction-started', {
      message: 'The auction has started, and its format fixes it from then on, so it cannot be corrected.',
    }),
  },
  {
    when: 'a cancellation of an auction whose price falls, after its start',
    fields: falling,
    send: cancel,
    expected: problem(409, 'auction-started', {
      message:
        'The auction has started, and its format fixes it from then on, so it cannot be cancelled without cancellableUntilEnd.',
    }),
  },
  {
    when: 'a correction after 40 others',
    before: Array.from({ length: 40 }, () => correct()),
    send: correct(),
    expected: problem(409, 'too-many-corrections', {
      message: 'Owners can correct an auction until it was corrected 20 times, and staff until 40 times.',
    }),
  },
  {
    when: 'a second lower reserve by the owner',
    isOwners: true,
    fields: { reservePrice: 150 },
    before: [lower],
    send: lower,
    expected: problem(409, 'reserve-lowered-before', {
      message:
        'The reserve was lowered before. Owners lower it once; staff with the permission Auctions.Manage can lower it again, with a reason.',
    }),
  },
  {
    when: 'a withdrawal without bids',
    send: withdraw({}),
    expected: problem(409, 'no-bids-of-bidder', {
      message:
        'Nothing would change: this user has no bids on this auction to withdraw, or, with block false, is not blocked.',
    }),
  },
  {
    when: 'a withdrawal after 50 repairs',
    before: Array.from({ length: 50 }, () => [bid(), withdraw({})]).flat(),
    send: withdraw({}),
    expected: problem(409, 'too-many-repairs', {
      message: 'Staff have repaired the auction 50 times, which is the limit; the first lower reserve does not count.',
    }),
  },
  {
    when: 'a bid of a blocked bidder',
    before: [bid(), withdraw({ block: true })],
    send: bid(),
    expected: problem(409, 'bidder-blocked', { message: 'This user may not bid on this auction, nor buy it.' }),
  },
  {
    when: 'a correction after a lower reserve',
    fields: { reservePrice: 150 },
    before: [lower],
    send: (auction) => auction.patch(`/api/Auctions/${auction.id}`, { startingPrice: 1 }, { 'if-match': '*' }),
    expected: problem(409, 'auction-repaired', {
      message:
        'The auction was extended, or its reserve was lowered, so only its title, description and metadata can be corrected.',
    }),
  },
  {
    when: 'a relisting before the result',
    send: relist(),
    expected: problem(409, 'auction-not-over', {
      message: 'The auction has no result yet; wait until its result is not null.',
    }),
  },
  {
    when: 'a relisting while an offer is open',
    before: [...sold, offer(3)],
    send: relist(),
    expected: problem(409, 'auction-has-offer', {
      message: expect.stringMatching(
        /^Auction \d+ is an offer of the auction that has no result yet; wait for it, or cancel it\.$/,
      ),
    }),
  },
  {
    when: 'a relisting of an offer',
    before: [...sold, offer(3)],
    // The same offer changes nothing.
    send: async (auction) => auction.post(`${(await offer(3)(auction)).headers.get('location')}/Relisting`, later),
    expected: problem(409, 'auction-is-offer', {
      message: expect.stringMatching(/^The auction is an offer of auction \d+; relist or offer that one\.$/),
    }),
  },
  {
    when: 'a purchase of an offer to another bidder',
    before: [...sold, offer(3)],
    send: async (auction) => {
      const path = `${(await offer(3)(auction)).headers.get('location')}/Purchase`
      return auction.post(path, { buyerId: 4, atMost: 500 })
    },
    expected: problem(409, 'not-admitted', { message: 'This user is not admitted to the auction.' }),
  },
  {
    when: 'another relisting',
    before: [cancel, relist()],
    send: relist({ title: 'Oak desk' }),
    expected: problem(409, 'auction-relisted', {
      message: expect.stringMatching(/^The auction was relisted as auction \d+\.$/),
    }),
  },
  {
    when: 'an offer without a next bidder',
    before: sold,
    send: offer(2, 3),
    expected: problem(409, 'no-next-bidder', {
      message: 'Without the excluded bidders, the auction has no bids that count.',
    }),
  },
  {
    when: 'an offer after 50 others',
    before: [
      ...sold,
      ...Array.from(
        { length: 50 },
        (_, index): Step =>
          async (auction) => {
            const made = await offer(3, 100 + index)(auction)
            await auction.post(`${made.headers.get('location')}/Cancellation`, {})
          },
      ),
    ],
    send: offer(3),
    expected: problem(409, 'too-many-offers', { message: 'The auction was offered 50 times, which is the limit.' }),
  },
  {
    when: 'a lower reserve of an auction without one',
    send: lower,
    expected: problem(400, 'validation-failed', {
      errors: [{ pointer: '/reservePrice', message: 'cannot be lowered, because the auction has no reserve' }],
    }),
  },
  {
    when: 'a correction of another state',
    send: correct('"x"'),
    expected: problem(412, 'precondition-failed', {
      message:
        'If-Match does not contain the current ETag. Read the resource again, and send the change with its ETag.',
    }),
  },
  {
    when: 'another bid with the same key',
    before: [bid({}, { 'idempotency-key': 'one' })],
    send: bid({ amount: 200 }, { 'idempotency-key': 'one' }),
    expected: problem(422, 'idempotency-key-reused', {
      message: 'This Idempotency-Key was already used for a different request; use a new key.',
    }),
  },
  {
    when: 'a bid on no auction',
    send: bid({ auctionId: absent }),
    expected: problem(404, 'auction-not-found', { message: `Auction ${absent} does not exist.` }),
  },
  {
    when: 'a read of no bid',
    send: (auction) => auction.get(`/api/Bids/${absent}`),
    expected: problem(404, 'bid-not-found', { message: `Bid ${absent} does not exist.` }),
  },
]

test.each(refusals)('the response to $when', async ({ fields, before = [], send, expected, isOwners }) => {
  const on = isOwners ? bound : server
  const more = isOwners ? [correctingOwn] : [correcting, managing]
  const auction = await openAuction(on, fields, newCaller({ uid: 1, permissions: [...permissions, ...more] }))
  for (const step of before) await step(auction)
  expect(await unchanged(on, () => send(auction))).toMatchObject(expected)
})

const barring = { 'not-admitted': true, 'above-limit': true }

test('each refusal has a response here', () => {
  // The tests of sealed bids have a server without their key, and those of registers have registers.
  const elsewhere = {
    ...hostProblemTypes,
    'sealed-bids-unavailable': true,
    ...registerRefusals,
    ...saleRefusals,
    ...barring,
  }
  const codes = problemCodes.filter((code) => !Object.hasOwn(elsewhere, code))
  const shown: readonly string[] = refusals.map(({ expected }) => expected.body.code)
  expect(shown).toEqual(expect.arrayContaining(codes))
})

test('a refused maximum does not reveal the current one', async () => {
  const auction = await openAuction(server)
  await auction.placeBid({ maximumAmount: 200 })
  const refused = await unchanged(server, () => auction.placeBid({ amount: 150, maximumAmount: 199 }))
  expect(Object.keys(refused.body).toSorted()).toEqual(['code', 'message', 'status', 'success', 'title', 'type'])
})

test('a full lane is 503, and a refused bid is not stored', async () => {
  const held = Promise.withResolvers<void>()
  const on = await startServer({
    replaceInStore: ({ append }) => ({ append: async (entries) => held.promise.then(() => append(entries)) }),
  })
  const auction = await openAuction(on)
  const isFull = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 1_100 }, async (_, index) => {
    const fields = { auctionId: auction.id, bidderId: 2, amount: 100 + index * 5 }
    const { ok } = await on.service.placeBid(unwrap(parseNewBid(fields)))
    if (!ok) isFull.resolve()
    return ok
  })
  await isFull.promise
  const response = await auction.placeBid({ amount: 10_000 })
  held.resolve()
  expect(response).toMatchObject(problem(503, 'overloaded'))
  expect(response.headers.get('retry-after')).toBe('1')
  const accepted = (await Promise.all(waiting)).filter((ok) => ok)
  expect((await auction.read()).bidCount).toBe(accepted.length)
})
