import type { Auction, SoftClose } from '@auction/domain/auction'
import { isoOf, momentAt } from '@auction/domain/moment'
import { type AmountMinor, toCurrency } from '@auction/domain/money'
import { sampleAuction } from '../../../src/samples.ts'
import { changingAuctions, replaced, type StoreMutation } from '../planted.ts'
import { asToday, to15Digits } from '../prove-contract.ts'

const one = 'stores an auction, finds it, and lists it without its description'
const absent = 'keeps an absent title or description absent'
const texts = 'keeps every character of texts'
const longest = 'keeps the longest texts'
const exact = 'keeps the smallest and largest numbers of an auction exact'
const times = 'keeps times as they were written'
const twiceAnHour = 'distinguishes the two hours with one local time at the end of summer time'
const softClose = 'keeps a soft close, and its latest end as it was written'
const prices = 'keeps a reserve and a buy-now price exact'
const cancelling = 'keeps whether an auction is cancellable, and the absence of that field'
const formats = 'keeps all optional fields of one auction together'
const currency = 'keeps the currency of an auction'
const oldCurrency = 'keeps the currency of an auction after ISO 4217 removes it or changes its exponent'

const withSoftClose = (auction: Auction, change: (softClose: SoftClose) => Partial<SoftClose>): Auction =>
  auction.softClose === undefined
    ? auction
    : { ...auction, softClose: { ...auction.softClose, ...change(auction.softClose) } }

const withTitle = (auction: Auction, change: (title: string) => string): Auction => ({
  ...auction,
  ...(auction.title !== undefined && { title: change(auction.title) }),
})

/** In the hour after clocks are set back, they show the same local times as in the hour before. */
function byLocalClocks(ms: number, setBackAt: string): number {
  const hourMs = 60 * 60 * 1_000
  const sinceMs = ms - Date.parse(setBackAt)
  return sinceMs >= 0 && sinceMs < hourMs ? ms - hourMs : ms
}

export const auctionFieldMutations: readonly StoreMutation[] = [
  changingAuctions(
    'returns an absent title as undefined',
    // The cast: exact optional properties forbid the bug.
    (auction) => ({ ...auction, title: auction.title }) as Auction,
    absent,
  ),
  changingAuctions(
    'drops an empty description',
    ({ description, ...rest }) => (description ? { ...rest, description } : rest),
    absent,
  ),
  changingAuctions('trims texts', (auction) => withTitle(auction, (title) => title.trim()), texts),
  changingAuctions('normalises texts', (auction) => withTitle(auction, (title) => title.normalize('NFC')), texts),
  changingAuctions('cuts texts at 255 units', (auction) => withTitle(auction, (title) => title.slice(0, 255)), longest),
  changingAuctions(
    'keeps prices in single precision',
    (auction) => ({ ...auction, startingPriceMinor: Math.fround(auction.startingPriceMinor) as AmountMinor }), // Wrong on purpose.
    exact,
  ),
  changingAuctions(
    'keeps product ids to 15 digits',
    (auction) => ({ ...auction, productId: to15Digits(auction.productId) as Auction['productId'] }), // Wrong on purpose.
    exact,
  ),
  changingAuctions(
    'rewrites times from their milliseconds',
    (auction) => ({ ...auction, startTime: { ...auction.startTime, iso: isoOf(auction.startTime.epochMs) } }),
    one,
    times,
  ),
  changingAuctions(
    'keeps only the seconds of times',
    ({ endTime, ...auction }) => ({
      ...auction,
      endTime: { ...endTime, epochMs: Math.floor(endTime.epochMs / 1000) * 1000 },
    }),
    times,
  ),
  changingAuctions(
    'rewrites latest ends from their milliseconds',
    (auction) => withSoftClose(auction, ({ latestEndTime }) => ({ latestEndTime: momentAt(latestEndTime.epochMs) })),
    softClose,
    formats,
  ),
  changingAuctions(
    'keeps only the seconds of latest ends',
    (auction) =>
      withSoftClose(auction, ({ latestEndTime: { iso, epochMs } }) => ({
        latestEndTime: { iso, epochMs: Math.floor(epochMs / 1000) * 1000 },
      })),
    softClose,
  ),
  changingAuctions(
    'keeps windows of at most a day',
    (auction) => withSoftClose(auction, ({ windowSeconds }) => ({ windowSeconds: Math.min(windowSeconds, 86_400) })),
    softClose,
  ),
  changingAuctions(
    'keeps extensions in 16 bits',
    (auction) => withSoftClose(auction, ({ extensionSeconds }) => ({ extensionSeconds: extensionSeconds % 65_536 })),
    softClose,
  ),
  changingAuctions('forgets that bids may move an end', ({ softClose: _, ...auction }) => auction, softClose, formats),
  changingAuctions(
    'treats a reserve of 0 as none',
    ({ reservePriceMinor, ...auction }) => (reservePriceMinor ? { ...auction, reservePriceMinor } : auction),
    prices,
  ),
  changingAuctions(
    'keeps reserves in single precision',
    ({ reservePriceMinor, ...auction }) =>
      reservePriceMinor === undefined
        ? auction
        : { ...auction, reservePriceMinor: Math.fround(reservePriceMinor) as AmountMinor }, // Wrong on purpose.
    prices,
  ),
  changingAuctions(
    'keeps buy-now prices in 32 bits',
    ({ buyNowPriceMinor, ...auction }) =>
      buyNowPriceMinor === undefined
        ? auction
        : { ...auction, buyNowPriceMinor: (buyNowPriceMinor >>> 0) as AmountMinor }, // Wrong on purpose.
    prices,
  ),
  changingAuctions('keeps no reserve', ({ reservePriceMinor: _, ...auction }) => auction, prices, formats),
  changingAuctions(
    'returns an absent buy-now price as null',
    // The cast: types forbid the bug.
    (auction) => ({ ...auction, buyNowPriceMinor: auction.buyNowPriceMinor ?? null }) as unknown as Auction,
    one,
    cancelling,
  ),
  changingAuctions(
    'returns an absent cancellable field as false',
    (auction) => ({ ...auction, cancellableUntilEnd: auction.cancellableUntilEnd ?? false }),
    one,
    cancelling,
  ),
  changingAuctions(
    'drops a cancellable field that is false',
    ({ cancellableUntilEnd, ...auction }) => (cancellableUntilEnd ? { ...auction, cancellableUntilEnd } : auction),
    cancelling,
  ),
  changingAuctions(
    'returns a number instead of a boolean',
    (auction) =>
      auction.cancellableUntilEnd === undefined
        ? auction
        : ({ ...auction, cancellableUntilEnd: Number(auction.cancellableUntilEnd) } as unknown as Auction), // As above.
    cancelling,
    formats,
  ),
  changingAuctions(
    'keeps the local time of New York',
    (auction) => ({ ...auction, createdAtMs: byLocalClocks(auction.createdAtMs, '2030-11-03T06:00:00Z') }),
    twiceAnHour,
  ),
  changingAuctions(
    'keeps the local time of Berlin',
    (auction) => ({ ...auction, createdAtMs: byLocalClocks(auction.createdAtMs, '2030-10-27T01:00:00Z') }),
    twiceAnHour,
  ),
  changingAuctions(
    'ends texts at a nul',
    (auction) => withTitle(auction, (title) => title.split('\u0000')[0] ?? ''),
    texts,
  ),
  changingAuctions(
    'drops byte order marks',
    (auction) => withTitle(auction, (title) => title.replace(/^\uFEFF/, '')),
    texts,
  ),
  changingAuctions(
    'converts numeric texts to numbers',
    (auction) =>
      withTitle(auction, (title) => (title === '' || Number.isNaN(Number(title)) ? title : `${Number(title)}`)),
    texts,
  ),
  changingAuctions(
    'keeps only the characters of the first plane',
    (auction) => withTitle(auction, (title) => title.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    texts,
  ),
  changingAuctions(
    'supports only one currency of auctions',
    (auction) => ({ ...auction, currency: sampleAuction().currency }),
    currency,
  ),
  changingAuctions(
    'takes the decimals of auctions from the current table',
    (auction) => ({ ...auction, currency: asToday(auction.currency) }),
    oldCurrency,
  ),
  changingAuctions(
    'supports only current currencies',
    ({ currency, ...auction }) => ({ ...auction, currency: toCurrency(currency.code) }),
    oldCurrency,
  ),
  replaced(
    'omits the description in findAuctionByKey',
    (right) => ({
      async findAuctionByKey(key) {
        const auction = await right.findAuctionByKey(key)
        return auction && withoutDescription(auction)
      },
    }),
    absent,
    texts,
  ),
  replaced(
    'reads descriptions for the agenda',
    (right) => ({
      async listAuctions(query) {
        const page = await right.listAuctions(query)
        if (query.order !== 'agenda') return page
        const whole = page.items.map(async ({ auction, position }) => ({
          auction: (await right.findAuction(auction.id)) ?? auction,
          position,
        }))
        return { ...page, items: await Promise.all(whole) }
      },
    }),
    one,
    absent,
    texts,
    longest,
  ),
]

const withoutDescription = ({ description: _, ...auction }: Auction): Auction => auction
