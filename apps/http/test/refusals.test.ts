import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { hostProblemTypes } from '@auction/host/answers'
import { expect, test } from 'vitest'
import { type ProblemCode, problemCodes } from '../src/api/answers/refusals.ts'
import { type Answer, type AuctionClient, newPurchase, openAuction, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'

// The tests of the domain and of the how-to pages cover the rules. These tests cover the response to each refusal, except for:
const testedElsewhere: readonly ProblemCode[] = [
  'bid-not-found', // reading.test.ts
  'too-many-corrections', // correcting.test.ts
  'precondition-failed', // correcting.test.ts
  'idempotency-key-reused', // idempotency.test.ts
]

const server = await serverOfFile()

type Step<Returned = unknown> = (auction: AuctionClient) => Promise<Returned>

const bid =
  (fields: object = {}): Step<Answer> =>
  (auction) =>
    auction.placeBid(fields)
const buy =
  (fields: object = {}): Step<Answer> =>
  (auction) =>
    auction.buyNow(fields)
const cancel: Step<Answer> = (auction) => auction.cancelAuction()
const at =
  (time: string): Step =>
  async () =>
    server.clock.set(time)

const prices = (currentPrice: number, minimumNextBid: number | null) => ({
  currentPrice,
  minimumNextBid,
  currency: 'USD',
})
const tooLow = (currentPrice: number, minimumNextBid: number) =>
  problem(409, 'bid-too-low', {
    ...prices(currentPrice, minimumNextBid),
    message: `The bid is too low; the minimum next bid is ${minimumNextBid} USD.`,
  })
const buyNowIsLower = (buyNowPrice: number, others: ReturnType<typeof prices>, otherwise: string) =>
  problem(409, 'buy-now-is-lower', {
    buyNowPrice,
    ...others,
    message: expect.stringMatching(
      new RegExp(
        `^Auction (\\d+) can be bought now for ${buyNowPrice} USD; buy it with POST /api/Auctions/\\1/Purchase${otherwise}\\.$`,
      ),
    ),
  })
const notOffered = (currentPrice: number, minimumNextBid: number | null, message: string) =>
  problem(409, 'buy-now-not-offered', { ...prices(currentPrice, minimumNextBid), message })
const almostMost = 9_999_999_999_999.98
const noHigherBid = `No higher bid is possible: the bid after ${almostMost} USD would exceed the largest amount.`
const [startTime, endTime] = ['2030-01-31T12:00:00.500Z', '2030-01-31T13:00:00.500Z']
const notStarted = problem(409, 'auction-not-started', {
  startTime,
  message: `The auction has not started; it starts at ${startTime}.`,
})
const ended = problem(409, 'auction-ended', { endTime, message: `The auction ended at ${endTime}.` })
const boughtAt = '2030-01-31T12:34:56.789Z'
const bought = problem(409, 'auction-ended', {
  endTime: boughtAt,
  message: `The auction was bought at ${boughtAt}; its result names the buyer.`,
})
const cancelled = problem(409, 'auction-cancelled', { message: 'The auction was cancelled.' })
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }

type Refusal = readonly [
  when: string,
  fields: object,
  before: readonly Step[],
  send: Step<Answer>,
  expected: ReturnType<typeof problem>,
]

const absent = 9_007_199_254_740_991
const notFound = problem(404, 'auction-not-found', { message: `Auction ${absent} does not exist.` })

const refusals: readonly Refusal[] = [
  ['a first bid below the starting price', {}, [], bid({ amount: 99.99 }), tooLow(100, 100)],
  [
    'a bid below the next one',
    { minimumBidIncrement: 0.1 },
    [bid({ amount: 100.2 })],
    bid({ bidderId: 3, amount: 100.29 }),
    tooLow(100.2, 100.3),
  ],
  [
    'a bid below the next one, with a high maximum',
    {},
    [bid()],
    bid({ bidderId: 3, amount: 104, maximumAmount: 900 }),
    tooLow(100, 105),
  ],
  [
    'any bid after the largest one',
    { minimumBidIncrement: 0.02 },
    [bid({ amount: almostMost })],
    bid({ amount: 9_999_999_999_999.99 }),
    problem(409, 'bid-too-low', { ...prices(almostMost, null), message: noHigherBid }),
  ],
  [
    'a bid of the owner',
    {},
    [],
    bid({ bidderId: 1 }),
    problem(409, 'owner-cannot-bid', { message: 'The owner of an auction cannot bid on it.' }),
  ],
  [
    'a purchase by the owner',
    { buyNowPrice: 500 },
    [],
    buy({ buyerId: 1 }),
    problem(409, 'owner-cannot-buy', { message: 'The owner of an auction cannot buy it.' }),
  ],
  [
    'a first bid above the buyNowPrice',
    { buyNowPrice: 200 },
    [],
    bid({ amount: 250 }),
    buyNowIsLower(200, prices(100, 100), ', or bid less'),
  ],
  [
    'a bid of the buyNowPrice below the reserve, with a maximum',
    { buyNowPrice: 200.5, reservePrice: 150 },
    [bid()],
    bid({ bidderId: 3, amount: 200.5, maximumAmount: 300 }),
    buyNowIsLower(200.5, prices(100, 105), ', or bid less'),
  ],
  [
    'a bid above the buyNowPrice, if the increment allows no lower one',
    { buyNowPrice: 200, reservePrice: 150, minimumBidIncrement: 100 },
    [bid()],
    bid({ bidderId: 3, amount: 200 }),
    buyNowIsLower(200, prices(100, 200), ''),
  ],
  [
    'a bid above the buyNowPrice, if no higher bid is possible',
    { buyNowPrice: 200, reservePrice: 150, minimumBidIncrement: almostMost },
    [bid()],
    bid({ bidderId: 3, amount: 200 }),
    buyNowIsLower(200, prices(100, null), ''),
  ],
  [
    'a purchase without a buyNowPrice',
    {},
    [],
    buy(),
    notOffered(100, 100, 'The auction has no buyNowPrice. The minimum next bid is 100 USD.'),
  ],
  [
    'a purchase after a bid',
    { buyNowPrice: 500 },
    [bid()],
    buy(),
    notOffered(100, 105, 'The auction has bids, which ends the buy-now offer. The minimum next bid is 105 USD.'),
  ],
  [
    'a purchase after the reserve is met',
    { buyNowPrice: 500, reservePrice: 300 },
    [bid({ amount: 304.99 })],
    buy(),
    notOffered(304.99, 309.99, 'The reserve is met, which ends the buy-now offer. The minimum next bid is 309.99 USD.'),
  ],
  [
    'a purchase after the largest bid',
    { minimumBidIncrement: 0.02 },
    [bid({ amount: almostMost })],
    buy(),
    notOffered(almostMost, null, `The auction has no buyNowPrice. ${noHigherBid}`),
  ],
  ['a bid before the start', { startTime, endTime }, [at('2030-01-31T12:00:00.499Z')], bid(), notStarted],
  [
    'a purchase before the start',
    { startTime, endTime, buyNowPrice: 500 },
    [at('2030-01-31T12:00:00.499Z')],
    buy(),
    notStarted,
  ],
  ['a bid at the end', { startTime, endTime }, [at(endTime)], bid(), ended],
  ['a purchase at the end', { startTime, endTime, buyNowPrice: 500 }, [at(endTime)], buy(), ended],
  ['a cancellation at the end', { startTime, endTime, cancellableUntilEnd: true }, [at(endTime)], cancel, ended],
  [
    'a bid at the extended end',
    { softClose },
    [at('2030-02-07T11:59:30Z'), bid(), at('2030-02-07T12:01:30Z')],
    bid({ amount: 105 }),
    problem(409, 'auction-ended', { endTime: '2030-02-07T12:01:30.000Z' }),
  ],
  ['a bid after a purchase', { buyNowPrice: 500 }, [at(boughtAt), buy()], bid(), bought],
  ['a purchase after a purchase', { buyNowPrice: 500 }, [at(boughtAt), buy()], buy({ buyerId: 3 }), bought],
  ['a cancellation after a purchase', { buyNowPrice: 500 }, [at(boughtAt), buy()], cancel, bought],
  ['a bid after a cancellation', {}, [cancel], bid(), cancelled],
  ['a purchase after a cancellation', { buyNowPrice: 500 }, [cancel], buy(), cancelled],
  [
    'a cancellation after a bid',
    {},
    [bid()],
    cancel,
    problem(409, 'auction-has-bids', {
      message: 'The auction has bids and was created without cancellableUntilEnd, so it cannot be cancelled.',
    }),
  ],
  [
    'a bid with more decimals than the currency',
    { currency: 'JPY' },
    [],
    bid({ amount: 100.5 }),
    problem(400, 'validation-failed', { errors: [{ pointer: '/amount', message: expect.stringContaining('JPY') }] }),
  ],
  [
    'a maximum below the current one',
    {},
    [bid({ maximumAmount: 200 })],
    bid({ maximumAmount: 199 }),
    problem(409, 'maximum-not-raised', {
      message:
        'The bidder already leads with this maximum or bid, or a higher one. Send a higher maximumAmount, or omit it to raise the bid.',
    }),
  ],
  ['a bid on no auction', {}, [], bid({ auctionId: absent }), notFound],
  [
    'a purchase of no auction',
    {},
    [],
    (auction) => auction.post(`/api/Auctions/${absent}/Purchase`, newPurchase),
    notFound,
  ],
  [
    'a cancellation of no auction',
    {},
    [],
    (auction) => auction.post(`/api/Auctions/${absent}/Cancellation`, {}),
    notFound,
  ],
]

test.each(refusals)('%s', async (_when, fields, before, send, expected) => {
  const auction = await openAuction(server, fields)
  for (const step of before) await step(auction)
  expect(await unchanged(server, () => send(auction))).toMatchObject(expected)
})

test('each refusal has a test', () => {
  const codes = problemCodes.filter((code) => !Object.hasOwn(hostProblemTypes, code))
  const tested: readonly string[] = [...testedElsewhere, ...refusals.map(([, , , , { body }]) => body.code)]
  expect(tested).toEqual(expect.arrayContaining(codes))
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
  const answer = await auction.placeBid({ amount: 10_000 })
  held.resolve()
  expect(answer).toMatchObject(problem(503, 'overloaded'))
  expect(answer.headers.get('retry-after')).toBe('1')
  const accepted = (await Promise.all(waiting)).filter((ok) => ok)
  expect((await auction.read()).bidCount).toBe(accepted.length)
})
