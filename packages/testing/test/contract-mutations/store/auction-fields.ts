import type { Auction, SoftClose } from '@auction/domain/auction'
import { isoOf, momentAt } from '@auction/domain/moment'
import { type AmountMinor, toCurrency } from '@auction/domain/money'
import { sampleAuction } from '../../../src/samples.ts'
import { type StoreMutation, wrongAuctions, wrongCall } from '../planted.ts'
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
const increments = 'keeps the steps of increments exact, in their order'
const otherIncrements = 'keeps an increment in percent, and the maximum increment'
const formats = 'keeps all optional fields of one auction together'
const metadata = 'keeps the metadata of an auction'
const currency = 'keeps the currency of an auction'
const oldCurrency = 'keeps the currency of an auction after ISO 4217 removes it or changes its exponent'

const withSoftClose = (auction: Auction, change: (softClose: SoftClose) => Partial<SoftClose>): Auction =>
  auction.softClose === undefined
    ? auction
    : { ...auction, softClose: { ...auction.softClose, ...change(auction.softClose) } }

/** An auction with other names of its metadata. */
const withMetadata = (auction: Auction, names: (member: readonly [string, string]) => readonly string[]): Auction => ({
  ...auction,
  ...(auction.metadata !== undefined && {
    metadata: Object.fromEntries(
      Object.entries(auction.metadata).flatMap((member) => names(member).map((name) => [name, member[1]])),
    ),
  }),
})

const withTitle = (auction: Auction, change: (title: string) => string): Auction => ({
  ...auction,
  ...(auction.title !== undefined && { title: change(auction.title) }),
})

type Steps = NonNullable<Auction['incrementSteps']>

const withSteps = ({ incrementSteps, ...auction }: Auction, change: (steps: Steps) => Steps): Auction =>
  incrementSteps === undefined ? auction : { ...auction, incrementSteps: change(incrementSteps) }

/** In the hour after clocks are set back, they show the same local times as in the hour before. */
function byLocalClocks(ms: number, setBackAt: string): number {
  const hourMs = 60 * 60 * 1_000
  const sinceMs = ms - Date.parse(setBackAt)
  return sinceMs >= 0 && sinceMs < hourMs ? ms - hourMs : ms
}

export const auctionFieldMutations: readonly StoreMutation[] = [
  wrongAuctions(
    'returns an absent title as undefined',
    absent,
    // The cast: exact optional properties forbid the bug.
    (auction) => ({ ...auction, title: auction.title }) as Auction,
  ),
  wrongAuctions('drops an empty description', absent, ({ description, ...rest }) =>
    description ? { ...rest, description } : rest,
  ),
  wrongAuctions('trims texts', texts, (auction) => withTitle(auction, (title) => title.trim())),
  wrongAuctions('normalises texts', texts, (auction) => withTitle(auction, (title) => title.normalize('NFC'))),
  wrongAuctions('cuts texts at 255 units', longest, (auction) => withTitle(auction, (title) => title.slice(0, 255))),
  wrongAuctions(
    'keeps prices in single precision',
    exact,
    (auction) => ({ ...auction, startingPriceMinor: Math.fround(auction.startingPriceMinor) as AmountMinor }), // Wrong on purpose.
  ),
  wrongAuctions(
    'keeps product ids to 15 digits',
    exact,
    (auction) => ({ ...auction, productId: to15Digits(auction.productId) as Auction['productId'] }), // Wrong on purpose.
  ),
  wrongAuctions('rewrites times from their milliseconds', [one, times], (auction) => ({
    ...auction,
    startTime: { ...auction.startTime, iso: isoOf(auction.startTime.epochMs) },
  })),
  wrongAuctions('keeps only the seconds of times', times, ({ endTime, ...auction }) => ({
    ...auction,
    endTime: { ...endTime, epochMs: Math.floor(endTime.epochMs / 1000) * 1000 },
  })),
  wrongAuctions('rewrites latest ends from their milliseconds', [softClose, formats], (auction) =>
    withSoftClose(auction, ({ latestEndTime }) => ({ latestEndTime: momentAt(latestEndTime.epochMs) })),
  ),
  wrongAuctions('keeps only the seconds of latest ends', softClose, (auction) =>
    withSoftClose(auction, ({ latestEndTime: { iso, epochMs } }) => ({
      latestEndTime: { iso, epochMs: Math.floor(epochMs / 1000) * 1000 },
    })),
  ),
  wrongAuctions('keeps windows of at most a day', softClose, (auction) =>
    withSoftClose(auction, ({ windowSeconds }) => ({ windowSeconds: Math.min(windowSeconds, 86_400) })),
  ),
  wrongAuctions('keeps extensions in 16 bits', softClose, (auction) =>
    withSoftClose(auction, ({ extensionSeconds }) => ({ extensionSeconds: extensionSeconds % 65_536 })),
  ),
  wrongAuctions('forgets that bids may move an end', [softClose, formats], ({ softClose: _, ...auction }) => auction),
  wrongAuctions('treats a reserve of 0 as none', prices, ({ reservePriceMinor, ...auction }) =>
    reservePriceMinor ? { ...auction, reservePriceMinor } : auction,
  ),
  wrongAuctions(
    'keeps reserves in single precision',
    prices,
    ({ reservePriceMinor, ...auction }) =>
      reservePriceMinor === undefined
        ? auction
        : { ...auction, reservePriceMinor: Math.fround(reservePriceMinor) as AmountMinor }, // Wrong on purpose.
  ),
  wrongAuctions(
    'keeps buy-now prices in 32 bits',
    prices,
    ({ buyNowPriceMinor, ...auction }) =>
      buyNowPriceMinor === undefined
        ? auction
        : { ...auction, buyNowPriceMinor: (buyNowPriceMinor >>> 0) as AmountMinor }, // Wrong on purpose.
  ),
  wrongAuctions('keeps no reserve', [prices, formats], ({ reservePriceMinor: _, ...auction }) => auction),
  wrongAuctions(
    'returns an absent buy-now price as null',
    [one, cancelling],
    // The cast: types forbid the bug.
    (auction) => ({ ...auction, buyNowPriceMinor: auction.buyNowPriceMinor ?? null }) as unknown as Auction,
  ),
  wrongAuctions('returns an absent cancellable field as false', [one, cancelling], (auction) => ({
    ...auction,
    cancellableUntilEnd: auction.cancellableUntilEnd ?? false,
  })),
  wrongAuctions('drops a cancellable field that is false', cancelling, ({ cancellableUntilEnd, ...auction }) =>
    cancellableUntilEnd ? { ...auction, cancellableUntilEnd } : auction,
  ),
  wrongAuctions(
    'returns a number instead of a boolean',
    [
      // As above.
      cancelling,
      formats,
    ],
    (auction) =>
      auction.cancellableUntilEnd === undefined
        ? auction
        : ({ ...auction, cancellableUntilEnd: Number(auction.cancellableUntilEnd) } as unknown as Auction), // As above.
  ),
  wrongAuctions('keeps at most ten steps', increments, (auction) => withSteps(auction, (steps) => steps.slice(0, 10))),
  wrongAuctions('sorts steps by the digits of their prices', increments, (auction) =>
    withSteps(auction, (steps) => steps.toSorted((a, b) => (`${a.fromPriceMinor}` < `${b.fromPriceMinor}` ? -1 : 1))),
  ),
  wrongAuctions('keeps steps of different increments only', increments, (auction) =>
    withSteps(auction, (steps) =>
      steps.filter((step, index) => step.incrementMinor !== steps[index - 1]?.incrementMinor),
    ),
  ),
  wrongAuctions('returns steps as an object', [increments, formats], (auction) =>
    // The cast: types forbid the bug.
    withSteps(auction, (steps) => ({ ...steps }) as unknown as typeof steps),
  ),
  wrongAuctions('keeps whole percentages only', otherIncrements, ({ incrementBasisPoints, ...auction }) =>
    incrementBasisPoints === undefined
      ? auction
      : { ...auction, incrementBasisPoints: Math.floor(incrementBasisPoints / 100) * 100 },
  ),
  wrongAuctions(
    'keeps maximum increments in 32 bits',
    otherIncrements,
    ({ maximumBidIncrementMinor, ...auction }) =>
      maximumBidIncrementMinor === undefined
        ? auction
        : { ...auction, maximumBidIncrementMinor: (maximumBidIncrementMinor >>> 0) as AmountMinor }, // Wrong on purpose.
  ),
  wrongAuctions('keeps the local time of New York', twiceAnHour, (auction) => ({
    ...auction,
    createdAtMs: byLocalClocks(auction.createdAtMs, '2030-11-03T06:00:00Z'),
  })),
  wrongAuctions('keeps the local time of Berlin', twiceAnHour, (auction) => ({
    ...auction,
    createdAtMs: byLocalClocks(auction.createdAtMs, '2030-10-27T01:00:00Z'),
  })),
  wrongAuctions('ends texts at a nul', texts, (auction) =>
    withTitle(auction, (title) => title.split('\u0000')[0] ?? ''),
  ),
  wrongAuctions('drops byte order marks', texts, (auction) =>
    withTitle(auction, (title) => title.replace(/^\uFEFF/, '')),
  ),
  wrongAuctions('converts numeric texts to numbers', texts, (auction) =>
    withTitle(auction, (title) => (title === '' || Number.isNaN(Number(title)) ? title : `${Number(title)}`)),
  ),
  wrongAuctions('keeps only the characters of the first plane', texts, (auction) =>
    withTitle(auction, (title) => title.replace(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  ),
  wrongAuctions('drops metadata with names of prototypes', metadata, (auction) =>
    withMetadata(auction, ([name]) => (name in {} ? [] : [name])),
  ),
  wrongAuctions('splits names of metadata at dots', metadata, (auction) =>
    withMetadata(auction, ([name]) => name.split('.')),
  ),
  wrongAuctions('drops empty metadata', metadata, ({ metadata: members, ...auction }) =>
    members === undefined || Object.keys(members).length === 0 ? auction : { ...auction, metadata: members },
  ),
  wrongAuctions('drops metadata', [metadata, formats], ({ metadata: _, ...auction }) => auction),
  wrongAuctions('supports only one currency of auctions', currency, (auction) => ({
    ...auction,
    currency: sampleAuction().currency,
  })),
  wrongAuctions('takes the decimals of auctions from the current table', oldCurrency, (auction) => ({
    ...auction,
    currency: asToday(auction.currency),
  })),
  wrongAuctions('supports only current currencies', oldCurrency, ({ currency, ...auction }) => ({
    ...auction,
    currency: toCurrency(currency.code),
  })),
  wrongCall(
    'reads descriptions for the agenda',
    [one, absent, texts, longest],
    'listAuctions',
    async (right, query) => {
      const page = await right.listAuctions(query)
      if (query.order !== 'agenda') return page
      const whole = page.items.map(async ({ auction, position }) => ({
        auction: (await right.findAuction(auction.id)) ?? auction,
        position,
      }))
      return { ...page, items: await Promise.all(whole) }
    },
  ),
]
