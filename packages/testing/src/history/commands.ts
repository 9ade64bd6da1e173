import type { NewAuction } from '@auction/domain/auction'
import type { AuctionId, UserId } from '@auction/domain/ids'
import { type Currency, toMinor } from '@auction/domain/money'
import type { RequestKey } from '@auction/domain/request-key'
import { type Entry, isBidEntry, type StoredAuction } from '@auction/domain/store'
import {
  type Attempt,
  type History,
  type Refused,
  type RepairAttempt,
  type SeenBid,
  show,
  type Unknown,
} from '../history.ts'
import { askedFor, recordedAs } from './correction-requests.ts'
import { askedForRepair, recordedRepair } from './repair-requests.ts'
import { isRepair, type RepairEvent } from './repairs.ts'
import { endMs, termsAfter } from './rules.ts'

/** One try to make something, with the request as one text. */
export type Try = {
  readonly key: string | undefined
  readonly asksFor: string
  /** Whether only another user may request it: it makes nothing, but its answer may contain what its key has made. */
  readonly isForeign: boolean
  readonly sentAtMs: number
  readonly answeredAtMs: number
  readonly arrivedAtMs: number | undefined
  readonly answer: { readonly outcome: 'accepted'; readonly id: number; readonly as: string } | Refused | Unknown
}

/** A stored thing, with the texts of its request and of its answer. */
export type Made = {
  readonly id: number
  readonly key: string | undefined
  readonly asksFor: string
  readonly as: string
  readonly atMs: number
  /** Whether its time may be before its request. */
  readonly mayPrecede?: boolean
}

/** All tries to make one kind of thing, and all stored things of that kind. */
export type Commands = {
  readonly kind: 'auction' | 'bid' | 'purchase' | 'cancellation' | 'correction' | 'repair'
  readonly tries: readonly Try[]
  readonly made: readonly Made[]
  /** Whether the answer to every later request without a key contains the thing, regardless of its caller. */
  readonly isShared: boolean
}

/** The client's part of a request's key: the last one, without a space. */
export const clientKey = (key: RequestKey | undefined): string | undefined => key?.split(' ').at(-1)

export type AttemptOf<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

export const attemptsTo = <Type extends Attempt['type']>(
  { attempts }: History,
  type: Type,
): readonly AttemptOf<Type>[] => attempts.filter((attempt): attempt is AttemptOf<Type> => attempt.type === type)

/** The answer to a try, with the id and the text of the thing in it. */
const answerWith = <Accepted extends { readonly outcome: 'accepted' }>(
  answer: Accepted | Refused | Unknown,
  shown: (accepted: Accepted) => { readonly id: number; readonly as: string },
): Try['answer'] => (answer.outcome === 'accepted' ? { outcome: 'accepted', ...shown(answer) } : answer)

export function creations(history: History): Commands {
  return {
    kind: 'auction',
    isShared: false,
    tries: attemptsTo(history, 'create-auction').map((attempt) => {
      const answer = answerWith(attempt.answer, ({ auction }) => ({
        id: auction.id,
        as: show(termsOfRequest(auction)),
      }))
      return tryOf(attempt, show(termsOfRequest(attempt.auction)), answer)
    }),
    made: history.auctions.map((auction) => {
      const asksFor = show(termsOfRequest(auction))
      return { id: auction.id, key: clientKey(auction.requestKey), asksFor, as: asksFor, atMs: auction.createdAtMs }
    }),
  }
}

export function placedBids(history: History): Commands {
  const currencies = new Map<AuctionId, Currency>(history.auctions.map(({ id, currency }) => [id, currency]))
  return {
    kind: 'bid',
    isShared: false,
    tries: attemptsTo(history, 'place-bid').map((attempt) => {
      const { bid } = attempt
      const currency = currencies.get(bid.auctionId)
      const answer = answerWith(attempt.answer, (accepted) => ({ id: accepted.bid.id, as: asAnswered(accepted.bid) }))
      const minorOf = (amount: number | undefined) => amount && currency && toMinor(amount, currency)
      const asked = { ...bid, amountMinor: minorOf(bid.amount), maximumMinor: minorOf(bid.maximumAmount) }
      return tryOf(attempt, asAsked(asked), answer)
    }),
    made: history.ledger.filter(isBidEntry).map(({ id, auctionId, requestKey, atMs, event, state }) => {
      // A raised maximum does not change the price: the answer has the leading amount.
      const { leader } = state
      const led = event.type === 'bid-placed' ? event.amountMinor : leader?.amountMinor
      return {
        id,
        key: clientKey(requestKey),
        asksFor: asAsked({ auctionId, ...event }),
        as: asAnswered({
          auctionId,
          bidderId: event.bidderId,
          amountMinor: led,
          timestampMs: atMs,
          leaderId: leader?.bidderId,
        }),
        atMs,
      }
    }),
  }
}

/** An auction is bought once, so its id identifies the purchase. */
export function purchases(history: History): Commands {
  const asksFor = (auctionId: AuctionId, buyerId: UserId) => `auction ${auctionId} for buyer ${buyerId}`
  return {
    kind: 'purchase',
    isShared: false,
    tries: attemptsTo(history, 'buy-now').map((attempt) => {
      const { auctionId, buyerId } = attempt.purchase
      const answer = answerWith(attempt.answer, ({ auction }) => ({ id: auction.id, as: show(auction.result) }))
      return tryOf(attempt, asksFor(auctionId, buyerId), answer)
    }),
    made: history.ledger.flatMap((entry): Made[] => {
      if (entry.event.type !== 'bought') return []
      return [endMade(entry, entry.auctionId, asksFor(entry.auctionId, entry.event.buyerId))]
    }),
  }
}

/**
 * An auction is cancelled once. The entry of a request with a key identifies it; the entry that cancelled the auction
 * identifies a request without one.
 */
export function cancellations(history: History): Commands {
  const owners = new Map<AuctionId, UserId>(history.auctions.map(({ id, ownerId }) => [id, ownerId]))
  const asksFor = ({ auctionId, reason }: { readonly auctionId: AuctionId; readonly reason?: string | undefined }) =>
    `no sale in auction ${auctionId}, ${reason === undefined ? 'without a reason' : `because of "${reason}"`}`
  const stored = history.ledger
    .flatMap((entry) => (entry.event.type === 'cancelled' ? [{ ...entry, event: entry.event }] : []))
    .toSorted((a, b) => a.sequence - b.sequence)
  const idOf = (auctionId: AuctionId, key: string | undefined): number =>
    stored.find((entry) => entry.auctionId === auctionId && (key === undefined || clientKey(entry.requestKey) === key))
      ?.id ?? noEntry
  return {
    kind: 'cancellation',
    isShared: true,
    tries: attemptsTo(history, 'cancel-auction').map((attempt) => {
      const { cancellation, key } = attempt
      const { auctionId, requesterId } = cancellation
      const isForeign = !isForced(cancellation) && requesterId !== undefined && requesterId !== owners.get(auctionId)
      const answer = answerWith(attempt.answer, ({ auction }) => ({
        id: idOf(auction.id, key),
        as: show(auction.result),
      }))
      return { ...tryOf(attempt, asksFor(cancellation), answer), isForeign }
    }),
    made: stored.map((entry) => {
      const { id, auctionId, event } = entry
      return endMade(entry, id, asksFor({ auctionId, reason: event.reason }))
    }),
  }
}

/** Returns whether a cancellation needs neither the owner nor an auction without bids. */
export const isForced = ({ mayForce, reason }: AttemptOf<'cancel-auction'>['cancellation']): boolean =>
  mayForce === true && reason !== undefined

/**
 * The entry of a correction is that of its key, or one without a key with its time and texts. Several may have one
 * time.
 */
export function corrections(history: History): Commands {
  const owners = new Map<AuctionId, UserId>(history.auctions.map(({ id, ownerId }) => [id, ownerId]))
  const stored = history.ledger.flatMap((entry) => {
    if (entry.event.type !== 'corrected') return []
    const { auctionId: id, currency, event, atMs } = entry
    return [{ entry, asksFor: recordedAs(event, { id, currency }), as: show({ title: event.title, atMs }) }]
  })
  const answered = new Set<Entry>()
  return {
    kind: 'correction',
    isShared: false,
    tries: attemptsTo(history, 'correct-auction').map((attempt) => {
      const { correction, key } = attempt
      const asked = askedFor(correction)
      const { auctionId, requesterId } = correction
      const isForeign = requesterId !== undefined && requesterId !== owners.get(auctionId)
      const answer = answerWith(attempt.answer, ({ auction }) => {
        const { title, correctedAtMs: atMs } = auction
        // If the title was not corrected, the answer has the title of an earlier state.
        const as = show({ title: correction.title === undefined ? undefined : (title ?? null), atMs })
        const isMade = ({ entry, ...candidate }: (typeof stored)[number]) =>
          entry.requestKey === undefined && !answered.has(entry) && candidate.as === as && candidate.asksFor === asked
        const made = stored.find((candidate) =>
          key === undefined ? isMade(candidate) : clientKey(candidate.entry.requestKey) === key,
        )
        if (made !== undefined && key === undefined) answered.add(made.entry)
        return { id: made?.entry.id ?? noEntry, as }
      })
      return { ...tryOf(attempt, asked, answer), isForeign }
    }),
    made: stored.map(({ entry: { id, requestKey, atMs }, ...made }) => ({
      id,
      key: clientKey(requestKey),
      atMs,
      ...made,
    })),
  }
}

/** The count of repairs in an answer identifies the entry of a repair. Each kind of repair has its own keys. */
export function repairs(history: History): Commands {
  const auctions = new Map(history.auctions.map((auction) => [auction.id, auction]))
  const keyIn = (type: RepairAttempt['type'], key: string | undefined) => key && `${key} of ${type}`
  const stored = history.ledger.flatMap((entry) => {
    const { id, auctionId, requestKey, atMs, event, state } = entry
    if (!isRepair(event)) return []
    const key = keyIn(repairTypes[event.type], clientKey(requestKey))
    const as = repairAs(auctionId, state.repairs?.entryIds.length ?? 0)
    const auction = auctions.get(auctionId)
    const isByOwner = event.type === 'reserve-lowered' && event.by === 'owner'
    // A repair by staff after the end that leaves the end as it is has the last time before it.
    const isLast = auction !== undefined && atMs + 1 === endMs(termsAfter(auction, entry), entry)
    const mayPrecede = event.type !== 'extended' && !isByOwner && isLast
    return [{ id, key, asksFor: recordedRepair(auctionId, event), as, atMs, mayPrecede }]
  })
  return {
    kind: 'repair',
    isShared: false,
    tries: Object.values(repairTypes)
      .flatMap((type) => attemptsTo<RepairAttempt['type']>(history, type))
      .map((attempt) => {
        const { repair } = attempt
        const key = keyIn(attempt.type, attempt.key)
        const answer = answerWith(attempt.answer, ({ auction }) => {
          const as = repairAs(auction.id, auction.repairCount)
          const made = stored.find((each) => (key === undefined ? each.as === as : each.key === key))
          return { id: made?.id ?? noEntry, as }
        })
        const { ownerId, currency } = auctions.get(repair.auctionId) ?? {}
        const isOwnersOnly = 'requesterId' in repair && repair.requesterId !== undefined && repair.mayLowerAny !== true
        const isForeign = isOwnersOnly && repair.requesterId !== ownerId
        return { ...tryOf(attempt, askedForRepair(attempt, currency), answer), key, isForeign }
      }),
    made: stored,
  }
}

const repairTypes = {
  extended: 'extend-auction',
  withdrawn: 'withdraw-bidder',
  'ended-early': 'end-auction',
  'reserve-lowered': 'lower-reserve',
} as const satisfies Record<RepairEvent['type'], RepairAttempt['type']>

const repairAs = (auctionId: AuctionId, count: number): string => `repair ${count} of auction ${auctionId}`

/** No entry has this id. */
const noEntry = 0

const endMade = ({ requestKey, atMs, state }: Entry, id: number, asksFor: string): Made => ({
  id,
  key: clientKey(requestKey),
  asksFor,
  as: state.phase === 'closed' ? show(state.result) : 'an open auction',
  atMs,
})

const tryOf = (
  { key, sentAtMs, answeredAtMs, arrivedAtMs }: Omit<Attempt, 'type'> & { readonly key?: string },
  asksFor: string,
  answer: Try['answer'],
): Try => ({ key, asksFor, isForeign: false, sentAtMs, answeredAtMs, arrivedAtMs, answer })

type Asked = {
  readonly auctionId: number
  readonly bidderId: number
  readonly amountMinor: number | undefined
  readonly maximumMinor?: number | undefined
}

const asAsked = ({ auctionId, bidderId, amountMinor, maximumMinor }: Asked): string => {
  const most = maximumMinor === undefined ? '' : `, at most ${maximumMinor},`
  return `${amountMinor} minor units${most} of bidder ${bidderId} on auction ${auctionId}`
}

/** The text of a bid in an answer, without the maximum, which only the bidder may read. */
const asAnswered = ({
  auctionId,
  bidderId,
  amountMinor,
  timestampMs,
  leaderId,
}: Asked & Pick<SeenBid, 'timestampMs' | 'leaderId'>) =>
  `${asAsked({ auctionId, bidderId, amountMinor })} at ${timestampMs}, after which ${leaderId} leads`

/** The fields of a request for an auction, without those that the service assigns. */
function termsOfRequest(auction: NewAuction): NewAuction {
  const { id: _, createdAtMs: __, requestKey: ___, ...asked }: NewAuction & Partial<StoredAuction> = auction
  return asked
}
