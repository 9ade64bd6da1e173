import type { Auction, SoftClose } from '../../../../src/auction/auction.ts'
import { toCurrency } from '../../../../src/currency.ts'
import { isoOf, momentAt } from '../../../../src/moment.ts'
import type { AmountMinor } from '../../../../src/money.ts'
import { sampleAuction } from '../../../../src/testing/samples.ts'
import { changingAuctions, replaced, type StoreMutation } from '../planted.ts'
import { asToday, to15Digits } from '../prove-contract.ts'

const one = 'stores an auction, finds it, and lists it without its description'
const absent = 'keeps an absent title or description absent'
const texts = 'keeps texts as they are, to the last character'
const longest = 'keeps the longest texts'
const exact = 'keeps an auction’s least and greatest numbers exact'
const times = 'keeps times as they were written'
const twiceAnHour = 'keeps the hour apart that comes twice when summer time ends'
const softClose = 'keeps a soft close, and its latest end as it was written'
const prices = 'keeps a reserve and a buy-now price exact'
const cancelling = 'keeps what an auction says of being cancelled, and what it does not say'
const formats = 'keeps all formats of one auction together'
const currency = 'keeps an auction’s currency'
const oldCurrency = 'keeps an auction’s currency that has left ISO 4217, or has another exponent there by now'

const withSoftClose = (auction: Auction, change: (softClose: SoftClose) => Partial<SoftClose>): Auction =>
  auction.softClose === undefined
    ? auction
    : { ...auction, softClose: { ...auction.softClose, ...change(auction.softClose) } }

const withTitle = (auction: Auction, change: (title: string) => string): Auction => ({
  ...auction,
  ...(auction.title !== undefined && { title: change(auction.title) }),
})

/** In the first hour after the clocks are set back by one, they show what they showed an hour ago. */
function byLocalClocks(ms: number, setBackAt: string): number {
  const hourMs = 60 * 60 * 1_000
  const sinceMs = ms - Date.parse(setBackAt)
  return sinceMs >= 0 && sinceMs < hourMs ? ms - hourMs : ms
}

export const auctionFieldMutations: readonly StoreMutation[] = [
  changingAuctions(
    'makes an absent title one that is undefined',
    // The cast: exact optional properties forbid what this adapter does.
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
    'writes times anew from their milliseconds',
    (auction) => ({ ...auction, startTime: { ...auction.startTime, iso: isoOf(auction.startTime.epochMs) } }),
    one,
    times,
  ),
  changingAuctions(
    'keeps the seconds of times only',
    ({ endTime, ...auction }) => ({
      ...auction,
      endTime: { ...endTime, epochMs: Math.floor(endTime.epochMs / 1000) * 1000 },
    }),
    times,
  ),
  changingAuctions(
    'writes latest ends anew from their milliseconds',
    (auction) => withSoftClose(auction, ({ latestEndTime }) => ({ latestEndTime: momentAt(latestEndTime.epochMs) })),
    softClose,
    formats,
  ),
  changingAuctions(
    'keeps the seconds of latest ends only',
    (auction) =>
      withSoftClose(auction, ({ latestEndTime: { iso, epochMs } }) => ({
        latestEndTime: { iso, epochMs: Math.floor(epochMs / 1000) * 1000 },
      })),
    softClose,
  ),
  changingAuctions(
    'keeps windows of a day at the most',
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
    'takes a reserve of 0 for none',
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
    'makes an absent buy-now price one that is null',
    // The cast: types forbid what this adapter does.
    (auction) => ({ ...auction, buyNowPriceMinor: auction.buyNowPriceMinor ?? null }) as unknown as Auction,
    one,
    cancelling,
  ),
  changingAuctions(
    'says of an auction that it can’t be cancelled where that was not said',
    (auction) => ({ ...auction, cancellableUntilEnd: auction.cancellableUntilEnd ?? false }),
    one,
    cancelling,
  ),
  changingAuctions(
    'takes false for what is not said',
    ({ cancellableUntilEnd, ...auction }) => (cancellableUntilEnd ? { ...auction, cancellableUntilEnd } : auction),
    cancelling,
  ),
  changingAuctions(
    'takes a number for a truth',
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
    'takes texts for numbers where it can',
    (auction) =>
      withTitle(auction, (title) => (title === '' || Number.isNaN(Number(title)) ? title : `${Number(title)}`)),
    texts,
  ),
  changingAuctions(
    'keeps the characters of the first plane only',
    (auction) => withTitle(auction, (title) => title.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
    texts,
  ),
  changingAuctions(
    'knows one currency of auctions only',
    (auction) => ({ ...auction, currency: sampleAuction().currency }),
    currency,
  ),
  changingAuctions(
    'takes the decimals of auctions from the table of today',
    (auction) => ({ ...auction, currency: asToday(auction.currency) }),
    oldCurrency,
  ),
  changingAuctions(
    'knows the currencies of today only',
    ({ currency, ...auction }) => ({ ...auction, currency: toCurrency(currency.code) }),
    oldCurrency,
  ),
  replaced(
    'leaves the description out in findAuctionByKey',
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
