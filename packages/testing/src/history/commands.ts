import type { NewAuction } from '@auction/domain/auction'
import type { AuctionId, UserId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import {
  type Attempt,
  type History,
  type Refused,
  type RepairAttempt,
  type SeenBid,
  show,
  type Unknown,
} from '../history.ts'
import { type AttemptOf, attemptsTo, clientKey, isForced } from './attempts.ts'
import { askedFor, recordedAs } from './correction-requests.ts'
import type { RecordedRequest } from './formats/format.ts'
import { endMs } from './life.ts'
import { askedForRepair, isByOwner, repairIn } from './repairs.ts'
import { requestIn, termsAfter } from './rules.ts'

/** One try to make something, with the request as one text. */
export type Try = {
  readonly key: string | undefined
  readonly asksFor: string
  /** Whether only another user may request it: it makes nothing, but its response may contain what its key has made. */
  readonly isForeign: boolean
  readonly sentAtMs: number
  readonly respondedAtMs: number
  readonly arrivedAtMs: number | undefined
  readonly response: { readonly outcome: 'accepted'; readonly id: number; readonly as: string } | Refused | Unknown
}

/** A stored thing, with the texts of its request and of its response. */
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
  readonly kind:
    | 'auction'
    | 'bid'
    | 'purchase'
    | 'withdrawal'
    | 'cancellation'
    | 'correction'
    | 'repair'
    | 'register'
    | 'change of bidders'
  readonly tries: readonly Try[]
  readonly made: readonly Made[]
  /** Whether the response to every later request without a key contains the thing, regardless of its caller. */
  readonly isShared: boolean
}

/** The response to a try, with the id and the text of the thing in it. */
export const responseWith = <Accepted extends { readonly outcome: 'accepted' }>(
  response: Accepted | Refused | Unknown,
  shown: (accepted: Accepted) => { readonly id: number; readonly as: string },
): Try['response'] => (response.outcome === 'accepted' ? { outcome: 'accepted', ...shown(response) } : response)

export function creations(history: History): Commands {
  return {
    kind: 'auction',
    isShared: false,
    tries: attemptsTo(history, 'create-auction').map((attempt) => {
      const response = responseWith(attempt.response, ({ auction }) => {
        return { id: auction.id, as: show(termsOfRequest(auction)) }
      })
      return tryOf(attempt, show(termsOfRequest(attempt.auction)), response)
    }),
    made: history.auctions.map((auction) => {
      const asksFor = show(termsOfRequest(auction))
      return { id: auction.id, key: clientKey(auction.requestKey), asksFor, as: asksFor, atMs: auction.createdAtMs }
    }),
  }
}

export function placedBids(history: History): Commands {
  return {
    kind: 'bid',
    isShared: false,
    tries: attemptsTo(history, 'place-bid').map((attempt) => {
      const response = responseWith(attempt.response, ({ bid }) => ({ id: bid.id, as: asShown(bid) }))
      return tryOf(attempt, show(attempt.bid), response)
    }),
    made: recorded(history, 'place-bid').map(({ entry: { id, requestKey, atMs }, request: { bid, response } }) => {
      return { id, key: clientKey(requestKey), asksFor: show(bid), as: asShown(response), atMs }
    }),
  }
}

/** The entries that record requests of a type. */
function recorded<Type extends RecordedRequest['type']>({ ledger }: History, type: Type) {
  const isOf = (request: RecordedRequest | undefined): request is Extract<RecordedRequest, { readonly type: Type }> =>
    request?.type === type
  return ledger.flatMap((entry) => {
    const request = requestIn(entry)
    return isOf(request) ? [{ entry, request }] : []
  })
}

/** The text of a bid in a response, without the maximum, which only the bidder may read. */
const asShown = ({ auctionId, bidderId, amountMinor, timestampMs, leaderId }: Omit<SeenBid, 'id'>): string =>
  show({ auctionId, bidderId, amountMinor, timestampMs, leaderId })

/** An auction is bought once. */
export function purchases(history: History): Commands {
  const stored = recorded(history, 'buy-now')
  return {
    kind: 'purchase',
    isShared: false,
    tries: attemptsTo(history, 'buy-now').map((attempt) => {
      const response = responseWith(attempt.response, ({ auction }) => {
        const made = stored.find(({ entry }) => entry.auctionId === auction.id)
        return { id: made?.entry.id ?? noEntry, as: show(auction.result) }
      })
      return tryOf(attempt, show(attempt.purchase), response)
    }),
    made: stored.map(({ entry, request }) => endMade(entry, show(request.purchase))),
  }
}

/**
 * Bidders withdraw their own bids. Responses to them are alike: without a key, one has the first entry that is recorded
 * while it may have been made. Of several such responses, the first has the first.
 */
export function ownWithdrawals(history: History): Commands {
  const stored = recorded(history, 'withdraw-own-bid')
    .map(({ entry, request }) => ({ entry, key: clientKey(entry.requestKey), asksFor: show(request.withdrawal) }))
    .toSorted((a, b) => a.entry.sequence - b.entry.sequence)
  const attempts = attemptsTo(history, 'withdraw-own-bid').toSorted((a, b) => a.respondedAtMs - b.respondedAtMs)
  const withResponse = new Set<Entry>()
  const entryOf = (attempt: AttemptOf<'withdraw-own-bid'>): Entry | undefined => {
    const { key, withdrawal, sentAtMs, respondedAtMs } = attempt
    const { clockErrorMs } = history
    const made = stored.find(({ entry, ...each }) => {
      if (key !== undefined || each.key !== undefined) return each.key === key
      const isDuring = entry.atMs >= sentAtMs - clockErrorMs && entry.atMs <= respondedAtMs + clockErrorMs
      return isDuring && each.asksFor === show(withdrawal) && !withResponse.has(entry)
    })
    if (made !== undefined) withResponse.add(made.entry)
    return made?.entry
  }
  const as = ({ auctionId }: { readonly auctionId: AuctionId }) => `a withdrawal in auction ${auctionId}`
  return {
    kind: 'withdrawal',
    isShared: false,
    tries: attempts.map((attempt) => {
      const shown = () => ({ id: entryOf(attempt)?.id ?? noEntry, as: as(attempt.withdrawal) })
      return tryOf(attempt, show(attempt.withdrawal), responseWith(attempt.response, shown))
    }),
    made: stored.map(({ entry, key, asksFor }) => ({ id: entry.id, key, asksFor, as: as(entry), atMs: entry.atMs })),
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
      const response = responseWith(attempt.response, ({ auction }) => {
        return { id: idOf(auction.id, key), as: show(auction.result) }
      })
      return { ...tryOf(attempt, asksFor(cancellation), response), isForeign }
    }),
    made: stored.map((entry) => endMade(entry, asksFor({ auctionId: entry.auctionId, reason: entry.event.reason }))),
  }
}

/**
 * The entry of a correction is that of its key, or one without a key with its time and texts. Several may have one
 * time.
 */
export function corrections(history: History): Commands {
  const owners = new Map<AuctionId, UserId>(history.auctions.map(({ id, ownerId }) => [id, ownerId]))
  const stored = history.ledger.flatMap((entry) => {
    if (entry.event.type !== 'corrected') return []
    const { event, atMs } = entry
    return [{ entry, asksFor: recordedAs({ ...entry, event }), as: show({ title: event.title, atMs }) }]
  })
  const withResponse = new Set<Entry>()
  return {
    kind: 'correction',
    isShared: false,
    tries: attemptsTo(history, 'correct-auction').map((attempt) => {
      const { correction, key } = attempt
      const asked = askedFor(correction)
      const { auctionId, requesterId } = correction
      const isForeign = requesterId !== undefined && requesterId !== owners.get(auctionId)
      const response = responseWith(attempt.response, ({ auction }) => {
        const { title, correctedAtMs: atMs } = auction
        // If the title was not corrected, the response has the title of an earlier state.
        const as = show({ title: correction.title === undefined ? undefined : (title ?? null), atMs })
        const isMade = ({ entry, ...candidate }: (typeof stored)[number]) =>
          entry.requestKey === undefined &&
          !withResponse.has(entry) &&
          candidate.as === as &&
          candidate.asksFor === asked
        const made = stored.find((candidate) =>
          key === undefined ? isMade(candidate) : clientKey(candidate.entry.requestKey) === key,
        )
        if (made !== undefined && key === undefined) withResponse.add(made.entry)
        return { id: made?.entry.id ?? noEntry, as }
      })
      return { ...tryOf(attempt, asked, response), isForeign }
    }),
    made: stored.map(({ entry: { id, requestKey, atMs }, ...made }) => {
      return { id, key: clientKey(requestKey), atMs, ...made }
    }),
  }
}

/** The count of repairs in a response identifies the entry of a repair. Each kind of repair has its own keys. */
export function repairs(history: History): Commands {
  const auctions = new Map(history.auctions.map((auction) => [auction.id, auction]))
  const keyIn = (type: RepairAttempt['type'], key: string | undefined) => key && `${key} of ${type}`
  const stored = history.ledger.flatMap((entry) => {
    const { id, auctionId, requestKey, atMs, event, state } = entry
    const repair = repairIn(entry)
    if (repair === undefined) return []
    const key = keyIn(repair.type, clientKey(requestKey))
    const as = repairAs(auctionId, state.repairs?.entryIds.length ?? 0)
    const auction = auctions.get(auctionId)
    // A repair by staff after the end that leaves the end as it is has the last time before it.
    const isLast = auction !== undefined && atMs + 1 === endMs(termsAfter(auction, entry), entry)
    const mayPrecede = event.type !== 'extended' && !isByOwner(entry) && isLast
    return [{ id, key, asksFor: askedForRepair(repair), as, atMs, mayPrecede }]
  })
  return {
    kind: 'repair',
    isShared: false,
    tries: [
      ...withdrawalsEverywhere(history),
      ...history.attempts
        .filter((attempt) => 'repair' in attempt)
        .map((attempt) => {
          const { repair } = attempt
          const key = keyIn(attempt.type, attempt.key)
          const response = responseWith(attempt.response, ({ auction }) => {
            const as = repairAs(auction.id, auction.repairCount)
            const made = stored.find((each) => (key === undefined ? each.as === as : each.key === key))
            return { id: made?.id ?? noEntry, as }
          })
          const ownerId = auctions.get(repair.auctionId)?.ownerId
          const isOwnersOnly =
            'requesterId' in repair && repair.requesterId !== undefined && repair.mayLowerAny !== true
          const isForeign = isOwnersOnly && repair.requesterId !== ownerId
          return { ...tryOf(attempt, askedForRepair(attempt), response), key, isForeign }
        }),
    ],
    made: stored,
  }
}

/** A refusal by a register that withdraws bids may do so in every auction of the register, whatever its response. */
function withdrawalsEverywhere(history: History): readonly Try[] {
  return attemptsTo(history, 'set-bidders').flatMap((attempt) => {
    const { change, response } = attempt
    const { registerId, editor, withdrawal, bidders } = change
    const bidderId = bidders[0]?.bidderId
    if (withdrawal === undefined || bidderId === undefined || response.outcome === 'refused') return []
    const auctions = history.auctions.filter((auction) => auction.registerId === registerId)
    return auctions.map(({ id: auctionId }) => {
      const repair = { auctionId, editor, reason: withdrawal.reason, bidderId, isBlocked: true }
      const asksFor = askedForRepair({ type: 'withdraw-bidder', repair })
      // A repetition with the key of the request withdraws them again.
      return { ...tryOf(attempt, asksFor, { outcome: 'unknown' }), key: undefined }
    })
  })
}

const repairAs = (auctionId: AuctionId, count: number): string => `repair ${count} of auction ${auctionId}`

/** No entry has this id. */
const noEntry = 0

const endMade = ({ id, requestKey, atMs, state }: Entry, asksFor: string): Made => ({
  id,
  key: clientKey(requestKey),
  asksFor,
  as: state.phase === 'closed' ? show(state.result) : 'an open auction',
  atMs,
})

export const tryOf = (
  { key, sentAtMs, respondedAtMs, arrivedAtMs }: Omit<Attempt, 'type'> & { readonly key?: string },
  asksFor: string,
  response: Try['response'],
): Try => ({ key, asksFor, isForeign: false, sentAtMs, respondedAtMs, arrivedAtMs, response })

/** The fields of a request for an auction, without those that the service assigns. */
function termsOfRequest(auction: NewAuction): object {
  const assigned = ['id', 'createdAtMs', 'requestKey', 'key', 'registerAdmits']
  return Object.fromEntries(Object.entries(auction).filter(([name]) => !assigned.includes(name)))
}
