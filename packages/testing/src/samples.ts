import type {
  AuctionService,
  BidderChanges,
  LotsCancellation,
  NewLots,
  NewRegister,
  NewSale,
  SaleExtension,
} from '@auction/domain'
import {
  type Auction,
  type AuctionEvent,
  type AuctionState,
  type BidPlaced,
  type Bought,
  type Cancellation,
  type Cancelled,
  type Closed,
  type Corrected,
  type Correction,
  type EarlyEnd,
  type Extended,
  type Extension,
  evolve,
  initialStateOf,
  type Leader,
  type MaximumRaised,
  type NewAuction,
  type NewBid,
  type OfFormat,
  type OwnWithdrawal,
  type Purchase,
  type Repair,
  type ReserveReduction,
  type Withdrawal,
} from '@auction/domain/auction'
import { toAuctionId, toBidId, toEntryId, toUserId } from '@auction/domain/ids'
import { toMoment } from '@auction/domain/moment'
import { type Currency, toAmountMinor, toCurrency } from '@auction/domain/money'
import {
  type Checked,
  type CorrectionJson,
  checkedValue,
  defined,
  type NewAuctionJson,
  parseBidders,
  parseCancellation,
  parseCorrection,
  parseEarlyEnd,
  parseExtension,
  parseLotsCancellation,
  parseNewAuction,
  parseNewBid,
  parseNewLots,
  parseNewRegister,
  parseNewSale,
  parseOwnWithdrawal,
  parsePurchase,
  parseReserveReduction,
  parseSaleExtension,
  parseWithdrawal,
} from '@auction/domain/parsing'
import { type RequestKey, type RetryKey, requestKeyOf } from '@auction/domain/request-key'
import { unwrap } from '@auction/domain/result'
import type { AuctionEntry } from '@auction/domain/store'
import { type AuctionRow, parseStoredAuction, StoredCurrency } from '@auction/domain/stored'
import type { WantedRepair } from './history.ts'

/** The start of sample auctions, which are created a day before it, and end a week after it. */
export const sampleStartTime = '2030-01-31T12:00:00Z'
export const sampleEndTime = '2030-02-07T12:00:00Z'
const sampleStartMs = Date.parse(sampleStartTime)

/** The fields of a new auction that a test sets, in the form of the JSON. */
export type NewAuctionSample = Partial<NewAuctionJson>

type SoftCloseSample = NonNullable<NewAuctionJson['softClose']>

/**
 * For `createAuction`: user 1 offers product 7 from 100.00 USD in steps of 5.00, without title and description.
 * @throws Error with the errors of an invalid sample
 */
export function sampleNewAuction(sample: NewAuctionSample = {}): Checked<NewAuction> {
  return unwrap(parseNewAuction({ ...rightAuction, ...sample }, 0))
}

const rightAuction = {
  productId: 7,
  ownerId: 1,
  startingPrice: 100,
  minimumBidIncrement: 5,
  currency: 'USD',
  startTime: sampleStartTime,
  endTime: sampleEndTime,
}

/** How the price of a sample falls: by 5 every minute, from 100 to 60. */
export const sampleFalling = { decrement: 5, intervalSeconds: 60, floorPrice: 60 }

/**
 * For `createAuction`: as `sampleNewAuction`, but the price falls from 100.00 USD by 5.00 every minute to 60.00.
 * @throws Error with the errors of an invalid sample
 */
export const sampleNewFallingAuction = (sample: Readonly<Record<string, unknown>> = {}): Checked<NewAuction> =>
  unwrap(
    parseNewAuction(
      { ...rightAuction, minimumBidIncrement: null, format: 'falling', falling: sampleFalling, ...sample },
      0,
    ),
  )

/**
 * For `createAuction`: as `sampleNewAuction`, but bids are sealed, and the winner pays the second price.
 * @throws Error with the errors of an invalid sample
 */
export const sampleNewSealedAuction = (sample: Readonly<Record<string, unknown>> = {}): Checked<NewAuction> =>
  unwrap(
    parseNewAuction({ ...rightAuction, minimumBidIncrement: null, format: 'sealed', pricing: 'second', ...sample }, 0),
  )

/** The fields of a new bid that a test sets, in the form of the JSON. */
export type NewBidSample = Readonly<Partial<Record<'auctionId' | 'bidderId' | 'amount' | 'maximumAmount', number>>>

/** For `placeBid`: user 2 offers 100 on auction 1. @throws Error with the errors of an invalid sample */
export const sampleNewBid = (sample: NewBidSample = {}): Checked<NewBid> =>
  unwrap(parseNewBid({ auctionId: 1, bidderId: 2, amount: 100, ...sample }))

/**
 * For `buyNow`: user 2 buys, for at most this amount if the price of the auction falls. @throws Error with the errors of
 * an invalid sample, as the two functions below do
 */
export const samplePurchase = (buyerId = 2, atMost?: number): Checked<Purchase> =>
  unwrap(parsePurchase({ buyerId, atMost }))

/** For `cancelAuction`: a cancellation, with a reason or without. */
export const sampleCancellation = (reason?: string): Checked<Cancellation> => unwrap(parseCancellation({ reason }))

/** For `correctAuction`: a new title, by default, or other fields in the form of the JSON. */
export const sampleCorrection = (fields: CorrectionJson = { title: 'Oak desk' }): Checked<Correction> =>
  unwrap(parseCorrection(fields))

/** For `extendAuction`: until an hour after the end of sample auctions, by default. */
export const sampleExtension = (endTime = '2030-02-07T13:00:00Z', reason = 'Outage.'): Checked<Extension> =>
  unwrap(parseExtension({ endTime, reason }))

type WithdrawalSample = { readonly reason?: string; readonly block?: boolean | undefined }

/** For `withdrawOwnBid`: the bids of user 2, by default. */
export const sampleOwnWithdrawal = (bidderId = 2): Checked<OwnWithdrawal> => unwrap(parseOwnWithdrawal({ bidderId }))

/** For `withdrawBidder`: the bids of user 2, by default. */
export const sampleWithdrawal = (
  bidderId = 2,
  { reason = 'Slip.', block }: WithdrawalSample = {},
): Checked<Withdrawal> => unwrap(parseWithdrawal({ bidderId, reason, block }))

/** For `endAuction`. */
export const sampleEarlyEnd = (reason = 'Outage.'): Checked<EarlyEnd> => unwrap(parseEarlyEnd({ reason }))

/** For `lowerReserve`: removes it, by default. */
export const sampleReserveReduction = (reservePrice = 0, reason?: string): Checked<ReserveReduction> =>
  unwrap(parseReserveReduction({ reservePrice, reason }))

/** Sends a repair of a history to a service. */
export function sendRepair(
  service: AuctionService,
  wanted: WantedRepair,
  retry?: RetryKey,
  arrivedAtMs?: number,
): ReturnType<AuctionService['extendAuction' | 'withdrawBidder' | 'endAuction' | 'lowerReserve']> {
  switch (wanted.type) {
    case 'extend-auction': {
      const { endTime, reason, ...asking } = wanted.repair
      return service.extendAuction({ ...asking, extension: sampleExtension(endTime.iso, reason) }, retry, arrivedAtMs)
    }
    case 'withdraw-bidder': {
      const { bidderId, reason, isBlocked: block, ...asking } = wanted.repair
      const withdrawal = sampleWithdrawal(bidderId, { reason, block })
      return service.withdrawBidder({ ...asking, withdrawal }, retry, arrivedAtMs)
    }
    case 'end-auction': {
      const { reason, ...asking } = wanted.repair
      return service.endAuction({ ...asking, earlyEnd: sampleEarlyEnd(reason) }, retry, arrivedAtMs)
    }
    case 'lower-reserve': {
      const { reservePrice, reason, ...asking } = wanted.repair
      const reduction = sampleReserveReduction(reservePrice, reason)
      return service.lowerReserve({ ...asking, reduction }, retry, arrivedAtMs)
    }
    default:
      return wanted satisfies never
  }
}

/** The fields of a stored auction that a test sets, in plain numbers and strings. The parser checks them. */
export type AuctionSample = Partial<
  Omit<AuctionRow, 'version' | 'currency' | 'startTime' | 'endTime' | 'softClose'>
> & {
  readonly currency?: string
  /** The exponent of the currency, if it differs from the current table. */
  readonly currencyExponent?: number
  readonly startTime?: string
  readonly endTime?: string
  readonly softClose?: SoftCloseSample
}

/** The fields that auctions of the first version do not have. */
const laterFields = ['bidSteps', 'registerId', 'relistOf', 'offerOf', 'saleId'] as const

/** A new object at each call: auction 1 of user 1, from 100.00 USD in steps of 5.00, without title and description. */
export function sampleAuction(sample: AuctionSample = {}): OfFormat<'english', Auction> {
  const { currency: _, currencyExponent: __, startTime = sampleStartTime, endTime = sampleEndTime, ...others } = sample
  const { softClose, ...fields } = others
  return parseStoredAuction({
    version: laterFields.some((name) => sample[name] !== undefined) ? 2 : 1,
    id: 1,
    productId: 7,
    ownerId: 1,
    startingPriceMinor: 100_00,
    minimumBidIncrementMinor: 5_00,
    currency: sampleCurrency(sample),
    startTime: toMoment(startTime),
    endTime: toMoment(endTime),
    ...(softClose && { softClose: { ...softClose, latestEndTime: toMoment(softClose.latestEndTime) } }),
    createdAtMs: sampleStartMs - 24 * 60 * 60 * 1000,
    ...defined(fields),
  }) as OfFormat<'english', Auction> // It names no format.
}

/** Auction 1 of user 1, whose price falls from 100.00 USD by 5.00 every minute to 60.00, unless the sample changes it. */
export const sampleFallingAuction = (sample: Readonly<Record<string, unknown>> = {}): OfFormat<'falling', Auction> => {
  const { id = 1, createdAtMs = sampleStartMs - 24 * 60 * 60 * 1000, ...fields } = sample
  const stored = { version: 2, ...sampleNewFallingAuction(fields), id, createdAtMs }
  return parseStoredAuction(stored) as OfFormat<'falling', Auction> // It names the format.
}

/** The purchase of that auction by user 2, at the starting price, as its first entry. */
export function samplePurchased(sample: EntrySample = {}): AuctionEntry {
  const { id = 1, auctionId = 1, amountMinor = 100_00, bidderId = 2, atMs = sampleStartMs + 1, requestKey } = sample
  const priceMinor = toAmountMinor(amountMinor)
  const event = { type: 'purchased', buyerId: toUserId(bidderId), priceMinor, atMostMinor: priceMinor } as const
  const recorded = { id: toEntryId(id), sequence: 1, atMs, event }
  return {
    ...recorded,
    auctionId: toAuctionId(auctionId),
    ...(requestKey !== undefined && { requestKey: sampleKey(requestKey) }),
    currency: sampleCurrency(sample),
    state: evolve<AuctionState>(initialStateOf({ format: 'falling' }), recorded),
  }
}

/** Auction 1 of user 1, with sealed bids from 100.00 USD at the second price, unless the sample changes it. */
export const sampleSealedAuction = (sample: Readonly<Record<string, unknown>> = {}): OfFormat<'sealed', Auction> => {
  const { id = 1, createdAtMs = sampleStartMs - 24 * 60 * 60 * 1000, key = 'memory', ...fields } = sample
  const stored = { version: 2, ...sampleNewSealedAuction(fields), id, createdAtMs, key }
  return parseStoredAuction(stored) as OfFormat<'sealed', Auction> // It names the format.
}

/**
 * The ledger of that auction: the bids of a user and of user 3, who withdraws it, and the result, of which everyone may
 * see the entry. Ids begin with that of the sample. Only a sealer of the sample opens the bids.
 */
export function sampleSealedLedger(sample: EntrySample = {}): readonly AuctionEntry[] {
  const { id = 1, auctionId = 1, bidderId = 2, atMs = sampleStartMs, requestKey } = sample
  const [userId, otherId] = [toUserId(bidderId), toUserId(3)]
  const result = {
    ...({ outcome: 'sold', bidId: toBidId(id), winnerId: userId } as const),
    ...{ priceMinor: toAmountMinor(100_00), bidderCount: 1 },
  }
  const events: readonly AuctionEvent[] = [
    { type: 'sealed-bid', bidderId: userId, key: 'memory', sealed: '3q2-7wAAAAD_'.repeat(4) },
    { type: 'sealed-bid', bidderId: otherId, key: 'an earlier one', sealed: strangeTexts.join() },
    { type: 'sealed-withdrawal', bidderId: otherId },
    { type: 'closed', result },
  ]
  let state: AuctionState = initialStateOf({ format: 'sealed' })
  return events.map((event, index) => {
    const recorded = { id: toEntryId(id + index), sequence: index + 1, atMs: atMs + index, event }
    state = evolve<AuctionState>(state, recorded)
    return {
      ...recorded,
      auctionId: toAuctionId(auctionId),
      ...(requestKey !== undefined && { requestKey: sampleKey(`${requestKey}-${index}`) }),
      currency: sampleCurrency(sample),
      state,
    }
  })
}

function sampleCurrency({ currency: code = 'USD', currencyExponent: exponent }: AuctionSample | EntrySample): Currency {
  return exponent === undefined ? toCurrency(code) : checkedValue(StoredCurrency, { code, exponent }, 'a currency')
}

type EnglishState = OfFormat<'english', AuctionState>

/** An entry of an English auction. */
export type SampleEntry<Event extends AuctionEvent = AuctionEvent> = AuctionEntry<Event> & {
  readonly state: EnglishState
}

/** The fields of an entry that a test sets, in plain numbers and strings. */
export type EntrySample = {
  readonly id?: number
  readonly auctionId?: number
  readonly sequence?: number
  readonly bidderId?: number
  readonly amountMinor?: number
  readonly currency?: string
  /** The exponent of the currency, if it differs from the current table. */
  readonly currencyExponent?: number
  readonly atMs?: number
  readonly requestKey?: string
  readonly maximumMinor?: number
  /** The bid that the service makes in the same entry. */
  readonly automatic?: { readonly bidderId: number; readonly amountMinor: number }
  /** The time to which the bid moves the end. */
  readonly extendedEndMs?: number
  /** How a register admitted the bidder. */
  readonly admission?: {
    readonly registerSequence: number
    readonly byClaim?: true
    readonly limitMinor?: number
    readonly paddle?: string
  }
}

/**
 * A new object at each call: the entry of bid 1 on auction 1, by user 2. Amount, time and the number of bids rise with
 * the sequence, as a ledger's do.
 */
export function sampleEntry(sample: EntrySample = {}): SampleEntry<BidPlaced> {
  const { sequence = 1, maximumMinor } = sample
  const event: BidPlaced = {
    type: 'bid-placed',
    bidderId: toUserId(sample.bidderId ?? 2),
    amountMinor: toAmountMinor(sample.amountMinor ?? 100_00 + (sequence - 1) * 5_00),
    ...defined({ maximumMinor: maximumMinor === undefined ? undefined : toAmountMinor(maximumMinor) }),
    ...consequencesOf(sample),
  }
  return entryOf(event, { ...initialStateOf({}), bidCount: sequence - 1 }, sample)
}

/** The entry after a bid in which its bidder raises the maximum: to 200.00 by default. */
export function sampleMaximumRaised({
  maximumMinor = 200_00,
  ...sample
}: EntrySample = {}): SampleEntry<MaximumRaised> {
  const { automatic: _, extendedEndMs: __, ...bid } = sample
  const { bidderId, amountMinor } = sampleEntry(sample).event
  const raised = { bidderId, amountMinor, maximumMinor: toAmountMinor(maximumMinor), ...consequencesOf(sample) }
  const before = sampleEntry({ ...bid, id: 1, sequence: (sample.sequence ?? 2) - 1 }).state
  return entryOf({ type: 'maximum-raised', ...raised }, before, { sequence: 2, ...sample })
}

/** The end of an auction by a purchase: by user 2 for 500.00 by default. */
export function sampleBought(sample: EntrySample = {}): SampleEntry<Bought> {
  const buyerId = toUserId(sample.bidderId ?? 2)
  const priceMinor = toAmountMinor(sample.amountMinor ?? 500_00)
  return entryOf({ type: 'bought', buyerId, priceMinor }, stateBefore(sample), sample)
}

/** The end of an auction by a cancellation. */
export const sampleCancelled = (
  sample: EntrySample = {},
  reason?: string,
  forced: Pick<Cancelled, 'isForced'> = {},
): SampleEntry<Cancelled> =>
  entryOf({ ...defined({ type: 'cancelled', reason } as const), ...forced }, stateBefore(sample), sample)

/** The first entry of an auction, unless the sample has another sequence: a correction by user 1. */
export function sampleCorrected(
  sample: EntrySample = {},
  texts: Omit<Corrected, 'type' | 'editor'> = { title: 'Oak desk' },
): SampleEntry<Corrected> {
  const { sequence = 1, ...other } = sample
  const before =
    sequence === 1 ? initialStateOf({}) : sampleCorrected({ ...other, id: 1, sequence: sequence - 1 }).state
  // The cast: the terms are those of the texts.
  return entryOf({ type: 'corrected', ...texts, editor: '1' } as Corrected, before, sample)
}

/** A repair, as the entry after the bids of an auction: by default an extension by an hour. */
export const sampleRepair = <Event extends Repair = Extended>(
  sample: EntrySample = {},
  // The cast: without an event, it is an extension.
  event: Event = sampleExtended as Repair as Event,
): SampleEntry<Event> => entryOf(event, stateBefore(sample), sample)

const sampleExtended: Extended = {
  type: 'extended',
  endMs: Date.parse(sampleEndTime) + 60 * 60 * 1000,
  previousEndMs: Date.parse(sampleEndTime),
  reason: 'Outage.',
  editor: 'staff',
}

/**
 * The end of an auction by time, as the entry after its bids: sold to the last bidder, unless the sample sets
 * `reserveMet` to false, or unsold.
 */
export function sampleClosed(sample: EntrySample = {}, { reserveMet = true } = {}): SampleEntry<Closed> {
  const before = stateBefore(sample)
  const atMs = sample.atMs ?? Date.parse(sampleEndTime) + (sample.sequence ?? 1)
  return entryOf({ type: 'closed', result: resultOf(before.leader, reserveMet) }, before, { ...sample, atMs })
}

function resultOf(leader: Leader | null, reserveMet: boolean): Closed['result'] {
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids' }
  if (!reserveMet) return { outcome: 'unsold', reason: 'reserve-not-met' }
  const { bidId, bidderId: winnerId, amountMinor: priceMinor, paddle } = leader
  return defined({ outcome: 'sold', bidId, winnerId, priceMinor, paddle } as const)
}

const consequencesOf = ({
  automatic,
  extendedEndMs,
  admission,
}: EntrySample): Pick<BidPlaced, 'automatic' | 'extendedEndMs' | 'admission'> => ({
  ...(admission && { admission: sampleAdmission(admission) }),
  ...(automatic && {
    automatic: { bidderId: toUserId(automatic.bidderId), amountMinor: toAmountMinor(automatic.amountMinor) },
  }),
  ...defined({ extendedEndMs }),
})

/** How a register admitted the bidder of an event. */
export const sampleAdmission = ({ limitMinor, ...admission }: NonNullable<EntrySample['admission']>) => ({
  ...admission,
  ...(limitMinor !== undefined && { limitMinor: toAmountMinor(limitMinor) }),
})

/** The state after the bid before an entry, which has the id 1, or after no bid before the first entry. */
const stateBefore = ({ sequence = 1, ...sample }: EntrySample): EnglishState =>
  sequence === 1 ? initialStateOf({}) : sampleEntry({ ...sample, id: 1, sequence: sequence - 1 }).state

function entryOf<Event extends AuctionEvent>(
  event: Event,
  before: EnglishState,
  sample: EntrySample,
): SampleEntry<Event> {
  const { sequence = 1, requestKey } = sample
  const id = toEntryId(sample.id ?? 1)
  const atMs = sample.atMs ?? sampleStartMs + sequence
  return {
    id,
    auctionId: toAuctionId(sample.auctionId ?? 1),
    sequence,
    atMs,
    ...(requestKey !== undefined && { requestKey: sampleKey(requestKey) }),
    currency: sampleCurrency(sample),
    event,
    state: evolve(before, { id, sequence, atMs, event }),
  }
}

/** A request's key of a sample caller. */
export const sampleKey = (key: string): RequestKey => requestKeyOf('place-bid', { caller: 'caller', key })

/** The first entries of an auction, with sequences 1, 2, 3 … and ids from `afterId` + 1. */
export const sampleEntries = (count: number, { auctionId = 1, afterId = 0 } = {}): readonly SampleEntry<BidPlaced>[] =>
  Array.from({ length: count }, (_, index) => sampleEntry({ id: afterId + index + 1, auctionId, sequence: index + 1 }))

/** Valid texts that some stores change. */
export const strangeTexts: readonly string[] = [
  'Vase 🏺 of the “Ming” – 明, שלום, Ωμέγα',
  'family 👨‍👩‍👧‍👦 and flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'composed é and decomposed e\u0301',
  '  spaces around, a\ttab, a\nline and a trailing\r\n',
  'quotes \' " ` and slashes \\ / and \u2028 lines \u2029',
  '$set',
  '{"$ne":null}',
  'a.b.$.c',
  '__proto__',
  'null',
  '0',
  '\u{10FFFF}\uFEFF',
  '\uFEFFa byte order mark at the beginning',
  'a nul \u0000 within, and other controls \u0001\u001B\u007F\u0085',
  '\u0000',
  '007',
  '1e3',
  '\uFFFD\uFFFF',
  "'; DROP TABLE auctions; --",
]

/** For `createRegister`: a register in USD that admits whom it lists. @throws Error with the errors of an invalid sample */
export const sampleNewRegister = (sample: object = {}): Checked<NewRegister> =>
  unwrap(parseNewRegister({ currency: 'USD', admits: 'listed', ...sample }))

/** For `createSale`: a sale of lots of one English auction each, in USD. @throws Error with the errors of an invalid sample */
export const sampleNewSale = (sample: object = {}): Checked<NewSale> =>
  unwrap(
    parseNewSale({
      ...{ title: 'Spring sale', currency: 'USD', startTime: sampleStartTime, firstEndTime: sampleEndTime },
      intervalSeconds: 60,
      lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
      ...sample,
    }),
  )

/** For `addLots`: the JSON of lots. @throws Error with the errors of an invalid sample */
export const sampleLots = (...lots: readonly object[]): Checked<NewLots> => unwrap(parseNewLots({ lots }))

/** For `extendSale`. */
export const sampleSaleExtension = (seconds = 60, reason = 'Outage.'): Checked<SaleExtension> =>
  unwrap(parseSaleExtension({ seconds, reason }))

/** For `cancelLots`. */
export const sampleLotsCancellation = (...lots: readonly string[]): Checked<LotsCancellation> =>
  unwrap(parseLotsCancellation({ lots, reason: 'Stolen.' }))

/** For `setBidders`: the JSON of bidders. @throws Error with the errors of an invalid sample */
export const sampleBidders = (...bidders: readonly object[]): Checked<BidderChanges> =>
  unwrap(parseBidders({ bidders }))
