// Requests that lead to every kind of entry, in a fixed order. The recorded databases were made of them, so they do not change.

export type Step = {
  /** The user who sends it. */
  readonly as: number
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/**
 * A request, or a time to wait for, at which a due auction is closed. The server closes auctions by itself, too, once a second in real
 * time, so an end is followed by such a time before two seconds, the margin of an end, have passed.
 */
export type Scene = Step | { readonly until: string }

export const staff = 90
const [anna, otto] = [1, 2]
const [ben, cleo, dan, eve, finn] = [11, 12, 13, 14, 15]
export const bidders: readonly number[] = [ben, cleo, dan, eve, finn]

const post = (as: number, path: string, body?: object, key?: string): Step => ({
  as,
  method: 'POST',
  path: `/api/${path}`,
  ...(body && { body }),
  ...(key !== undefined && { key }),
})

const create = (as: number, fields: object, key?: string) =>
  post(
    as,
    'Auctions',
    {
      productId: 7,
      ownerId: as,
      startingPrice: 100,
      minimumBidIncrement: 5,
      currency: 'USD',
      startTime: '2030-01-31T11:00:00Z',
      endTime: '2030-02-07T12:00:00Z',
      ...fields,
    },
    key,
  )
const bid = (
  bidderId: number,
  auctionId: number,
  amount: number,
  more: { maximumAmount?: number; key?: string } = {},
) => {
  const { key, ...maximum } = more
  return post(bidderId, 'Bids', { auctionId, bidderId, amount, ...maximum }, key)
}
const raise = (bidderId: number, auctionId: number, maximumAmount: number, key?: string) =>
  post(bidderId, `Auctions/${auctionId}/Bids`, { bidderId, amount: 100, maximumAmount }, key)
const buy = (buyerId: number, auctionId: number, key?: string) =>
  post(buyerId, `Auctions/${auctionId}/Purchase`, { buyerId }, key)
const cancel = (as: number, auctionId: number, reason?: string, key?: string) =>
  post(as, `Auctions/${auctionId}/Cancellation`, reason === undefined ? undefined : { reason }, key)
const correct = (as: number, auctionId: number, patch: object, key?: string): Step => ({
  ...post(as, `Auctions/${auctionId}`, patch, key),
  method: 'PATCH',
})
const extend = (auctionId: number, endTime: string, key?: string) =>
  post(staff, `Auctions/${auctionId}/Extension`, { endTime, reason: 'The page was down.' }, key)
const withdraw = (auctionId: number, bidderId: number, block?: boolean, key?: string) =>
  post(
    staff,
    `Auctions/${auctionId}/Withdrawal`,
    { bidderId, reason: 'The account was stolen.', ...(block !== undefined && { block }) },
    key,
  )
const end = (auctionId: number, key?: string) =>
  post(staff, `Auctions/${auctionId}/Closing`, { reason: 'The product is broken.' }, key)
const lower = (as: number, auctionId: number, reservePrice: number, reason?: string, key?: string) =>
  post(as, `Auctions/${auctionId}/Reserve`, { reservePrice, ...(reason !== undefined && { reason }) }, key)

/** A time of the day on which the requests are sent. */
const on = (time: string) => `2030-01-31T${time}Z`
const softClose = (latestEndTime: string) => ({ windowSeconds: 300, extensionSeconds: 300, latestEndTime })
const largestMetadata = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`lot.name-${index}_x`, `${'é'.repeat(80 - (index % 3))} ${index}`]),
)

/** The auction whose entries are stored without the field `by`, as earlier versions stored them. */
export const auctionOfEarlierVersion = 12

/** The auctions that `recordedScenes` create, and those that `continuedScenes` do: another process takes other ids. */
export const auctionIds: readonly number[] = [...Array.from({ length: 31 }, (_, index) => index + 1), 101, 102, 103]

export const recordedScenes: readonly Scene[] = [
  // 1: bids, and automatic bids in both orders. Sold.
  create(anna, { title: 'Walnut desk', description: 'Four drawers, one key.', endTime: on('13:01:00') }, 'desk'),
  bid(ben, 1, 100, { key: 'first' }),
  bid(cleo, 1, 110, { maximumAmount: 150 }),
  bid(ben, 1, 120),
  bid(ben, 1, 130, { maximumAmount: 200, key: 'outbids-a-maximum' }),
  raise(ben, 1, 250, 'raises'),
  bid(dan, 1, 200, { maximumAmount: 250 }),
  bid(eve, 1, 255.5),
  bid(ben, 1, 200),
  // 2: no bids.
  create(otto, { title: 'Café \u{1f3fa} vase', endTime: on('13:02:00'), startTime: on('11:00:00.123456789') }),
  // 3: the reserve is not met.
  create(anna, { title: 'Silver coin', reservePrice: 500.5, endTime: on('13:03:00') }),
  bid(ben, 3, 150),
  bid(cleo, 3, 200, { maximumAmount: 300 }),
  // 4: a soft close with a reserve, which is met in the last minutes. Sold.
  create(otto, { reservePrice: 300, endTime: on('13:04:00'), softClose: softClose(on('13:30:00')) }),
  bid(ben, 4, 100, { maximumAmount: 200 }),
  // 5: bought.
  create(anna, { title: 'Oak chair', buyNowPrice: 400, reservePrice: 200 }, 'chair'),
  bid(ben, 5, 100),
  buy(cleo, 5, 'buys'),
  // 6: cancelled by the owner, and twice more with keys.
  create(otto, { title: 'Brass lamp' }),
  cancel(otto, 6),
  cancel(otto, 6, undefined, 'cancels-again'),
  cancel(otto, 6, 'It was sold elsewhere.', 'cancels-a-third-time'),
  // 7: cancelled by staff in spite of a bid.
  create(otto, {}),
  bid(ben, 7, 100, { maximumAmount: 1000 }),
  cancel(staff, 7, 'It is forbidden.', 'forces'),
  // 8: cancelled by the owner in spite of a bid.
  create(anna, { cancellableUntilEnd: true }),
  bid(ben, 8, 100),
  cancel(anna, 8, 'It broke.'),
  // 9 and 10: ended early, with bids and without.
  create(anna, { productId: 9 }),
  bid(ben, 9, 100, { maximumAmount: 120 }),
  bid(finn, 9, 105),
  end(9, 'ends'),
  { until: on('12:30:00') },
  create(anna, { productId: 9 }),
  end(10),
  { until: on('12:31:00') },
  // 11: corrected by the owner and by staff: texts, metadata and terms.
  create(anna, { title: 'Old title', description: 'Old.', metadata: { color: 'red', size: 'L' }, buyNowPrice: 900 }),
  correct(anna, 11, { title: 'New title' }, 'corrects'),
  correct(staff, 11, { description: 'New:\n"quoted" \u0000 and \u2028.' }),
  correct(anna, 11, { metadata: { color: null, 'lot.number': '17' } }),
  correct(anna, 11, {
    startingPrice: 50,
    reservePrice: 75.25,
    buyNowPrice: null,
    incrementSteps: [{ fromPrice: 100, increment: 10 }],
  }),
  correct(
    staff,
    11,
    { endTime: '2030-02-06T12:00:00.5Z', softClose: softClose('2030-02-06T13:00:00Z') },
    'corrects-terms',
  ),
  correct(staff, 11, { title: null, description: null, metadata: null, incrementSteps: null, minimumBidIncrement: 2 }),
  bid(ben, 11, 60),
  // 12: corrected, and its reserve lowered, by an earlier version.
  create(otto, { title: 'Earlier', reservePrice: 300 }),
  correct(otto, 12, { title: 'Early' }),
  correct(staff, 12, { startingPrice: 120 }),
  bid(ben, 12, 120, { maximumAmount: 250 }),
  lower(otto, 12, 250),
  lower(staff, 12, 200, 'The owner asked for it.'),
  // 13: extended before and after its end.
  create(anna, { endTime: on('13:05:00') }),
  bid(ben, 13, 100),
  extend(13, on('13:06:00'), 'extends'),
  // 14: bidders are withdrawn, blocked and unblocked.
  create(otto, { title: 'Withdrawn', reservePrice: 220 }),
  withdraw(14, eve, true, 'blocks'),
  bid(ben, 14, 100, { maximumAmount: 180 }),
  bid(cleo, 14, 150),
  bid(dan, 14, 160, { maximumAmount: 240 }),
  bid(finn, 14, 225),
  withdraw(14, dan, true, 'withdraws'),
  withdraw(14, finn),
  bid(finn, 14, 230),
  withdraw(14, eve, false),
  withdraw(14, ben),
  // 15: all bids are withdrawn.
  create(otto, {}),
  bid(ben, 15, 100),
  withdraw(15, ben),
  bid(ben, 15, 100),
  withdraw(15, ben, true),
  // 16: the reserve is lowered by the owner, with an automatic bid, by staff, and removed.
  create(anna, { reservePrice: 400 }),
  bid(ben, 16, 100, { maximumAmount: 350 }),
  lower(anna, 16, 340, undefined, 'lowers'),
  create(anna, { reservePrice: 400, title: 'A second title' }),
  bid(ben, 17, 110),
  lower(anna, 17, 395),
  lower(staff, 17, 390, 'The owner asked for it.', 'lowers-as-staff'),
  lower(staff, 17, 0, 'The owner asked again.'),
  // 18 to 20: increments, and other currencies.
  create(
    anna,
    {
      currency: 'JPY',
      productId: 18,
      startingPrice: 1000,
      minimumBidIncrement: 100,
      incrementSteps: [
        { fromPrice: 0, increment: 100 },
        { fromPrice: 2000, increment: 250 },
        { fromPrice: 5000, increment: 500 },
      ],
      maximumBidIncrement: 5000,
    },
    'yen',
  ),
  bid(ben, 18, 1000, { maximumAmount: 4000 }),
  bid(cleo, 18, 1900),
  bid(cleo, 18, 2250, { maximumAmount: 9000 }),
  create(anna, { currency: 'KWD', startingPrice: 1.005, minimumBidIncrement: 0.005, incrementPercent: 2.5 }),
  bid(ben, 19, 1.005),
  bid(cleo, 19, 1.1, { maximumAmount: 2.345 }),
  bid(ben, 19, 1.5),
  create(otto, {
    startingPrice: 0,
    minimumBidIncrement: 0.01,
    incrementPercent: 10,
    maximumBidIncrement: 1,
    metadata: largestMetadata,
  }),
  bid(ben, 20, 0.01),
  bid(cleo, 20, 1, { maximumAmount: 50 }),
  // 21 to 29 stay open.
  create(otto, { title: 'Not started', startTime: '2030-02-01T12:00:00Z', metadata: { a: 'b' } }, 'not-started'),
  create(anna, {
    title: 'Open desk',
    softClose: softClose('2030-02-07T13:00:00Z'),
    reservePrice: 500,
    buyNowPrice: 900,
  }),
  bid(ben, 22, 100, { maximumAmount: 400 }),
  bid(cleo, 22, 200, { key: 'open' }),
  create(anna, { title: 'Open chair', buyNowPrice: 300 }),
  create(otto, { title: 'Open lamp', cancellableUntilEnd: true }),
  bid(dan, 24, 100, { maximumAmount: 300 }),
  create(otto, { title: 'Open coin', reservePrice: 260, endTime: '2030-02-02T12:00:00Z' }),
  bid(ben, 25, 100, { maximumAmount: 250 }),
  bid(cleo, 25, 150),
  create(anna, { endTime: on('14:00:00'), softClose: softClose(on('14:10:00')) }),
  bid(ben, 26, 100, { maximumAmount: 130 }),
  create(anna, { endTime: on('14:20:00') }),
  create(otto, { title: 'Forbidden' }),
  bid(ben, 28, 100),
  create(otto, { title: 'Reserved', reservePrice: 1000, endTime: on('14:30:00') }),
  bid(ben, 29, 100, { maximumAmount: 700 }),
  bid(cleo, 29, 600, { maximumAmount: 800 }),
  raise(cleo, 29, 1200),
  // 30: cancelled by staff without bids.
  create(otto, { title: 'Forbidden' }),
  cancel(staff, 30, 'It is forbidden.'),
  // The ends.
  { until: on('13:00:00') },
  bid(cleo, 4, 190),
  raise(ben, 4, 320),
  bid(cleo, 4, 340, { maximumAmount: 400, key: 'extends' }),
  bid(dan, 4, 350, { maximumAmount: 450 }),
  { until: on('13:01:03') },
  { until: on('13:02:03') },
  { until: on('13:03:03') },
  bid(ben, 4, 410),
  { until: on('13:06:00.500') },
  extend(13, on('13:07:00')),
  { until: on('13:07:03') },
  { until: on('13:20:00') },
  create(otto, { title: 'Last', endTime: on('13:21:00') }),
  { until: on('13:21:00.500') },
  end(31),
  { until: on('13:21:03') },
]

export const endOfScenes = on('13:39:00')

/** Further requests, to the auctions that are open then. */
export const continuedScenes: readonly Scene[] = [
  { until: on('13:40:00') },
  bid(eve, 22, 300, { maximumAmount: 390, key: 'goes-on' }),
  raise(ben, 22, 450),
  bid(eve, 22, 460, { maximumAmount: 600 }),
  withdraw(22, eve),
  withdraw(22, eve, true, 'blocks-later'),
  bid(eve, 22, 500),
  raise(ben, 22, 550),
  bid(finn, 22, 2),
  extend(22, '2030-02-08T12:00:00Z', 'extends-later'),
  correct(otto, 21, { title: 'Still not started', metadata: { a: null, c: 'd' } }, 'corrects-later'),
  correct(staff, 21, { startTime: '2030-02-01T13:00:00Z', incrementPercent: 5, maximumBidIncrement: 20 }),
  correct(staff, 21, { title: null }),
  correct(otto, 21, { description: 'It starts later.' }),
  correct(otto, 21, { metadata: { e: 'f' } }),
  correct(anna, 11, { title: 'Too late' }),
  buy(finn, 23, 'buys-later'),
  cancel(otto, 24, 'Later.', 'cancels-later'),
  cancel(otto, 24, undefined, 'cancels-later-again'),
  lower(otto, 25, 245, undefined, 'lowers-later'),
  lower(otto, 25, 240),
  lower(staff, 25, 0, 'Later.'),
  lower(staff, 12, 150, 'Later.'),
  bid(cleo, 12, 260),
  withdraw(14, eve, true),
  withdraw(14, finn, true),
  bid(dan, 14, 200),
  bid(ben, 15, 100),
  withdraw(15, ben, false),
  bid(ben, 15, 100),
  withdraw(15, ben),
  bid(ben, 15, 100),
  withdraw(15, ben, true),
  bid(dan, 18, 4600),
  bid(dan, 18, 20_000),
  bid(dan, 19, 1.55, { maximumAmount: 3 }),
  bid(dan, 20, 1.2),
  cancel(staff, 28, 'It is forbidden.'),
  end(16, 'ends-later'),
  { until: on('13:45:00') },
  create(anna, { currency: 'KWD', startingPrice: 0.5, minimumBidIncrement: 0.001, title: 'Later' }, 'creates-later'),
  bid(dan, 101, 0.5, { maximumAmount: 0.75 }),
  create(otto, {}),
  cancel(otto, 102),
  create(anna, {}),
  cancel(staff, 103, 'It is forbidden.'),
  lower(otto, 29, 900),
  { until: on('13:59:00') },
  bid(cleo, 26, 110),
  bid(cleo, 26, 140, { maximumAmount: 160 }),
  { until: on('14:05:00') },
  { until: on('14:20:00.500') },
  extend(27, on('14:25:00')),
  { until: on('14:25:03') },
  { until: on('14:30:00.500') },
  end(29),
  { until: on('14:30:03') },
]
