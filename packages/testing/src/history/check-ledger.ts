import type { Auction, BidPlaced, Corrected, MaximumRaised } from '@auction/domain/auction'
import { isSameCurrency } from '@auction/domain/money'
import type { BidEntry, Entry } from '@auction/domain/store'
import { type History, show, type Violation } from '../history.ts'
import { ceilingMinor } from './bidding-rules.ts'
import { fieldOf } from './correction-requests.ts'
import { expectedResult, expectedState } from './expected-state.ts'
import { blockIn, findingsOfRepair, hasRepairedTerms, isBlocked, isEffective, isRepair } from './repairs.ts'
import {
  endMs,
  expectedBid,
  type Finding,
  hasHadBids,
  highestMinor,
  isAboveOffer,
  isCancellable,
  isEnd,
  isHigh,
  isLow,
  isOffered,
  isRemembered,
  leaderOf,
  leastMinor,
  mostCorrections,
  problemOfTerms,
  termsAfter,
  textsOf,
} from './rules.ts'
import { hasBids, standingAfter } from './standing.ts'
import { entriesOf } from './timeline.ts'

/** Checks the entries alone: in order, each following from the previous one, in time (2, 3), and with one end (6). */
export function checkLedger(history: History): Violation[] {
  const entries = entriesOf(history)
  const ids = new Set(history.auctions.map(({ id }) => id))
  const unexpected = history.ledger.filter(({ auctionId }) => !ids.has(auctionId))
  return [
    ...unexpected.map(({ id, auctionId }): Violation => {
      return { invariant: 1, message: `entry ${id} belongs to auction ${auctionId}, which is not stored` }
    }),
    ...sharedIds(history),
    ...history.auctions.flatMap((auction) => {
      const own = entries(auction.id)
      return own.flatMap((entry, index) => checkEntry(auction, own, index, entry, history.marginMs))
    }),
  ]
}

/** Every entry has a unique id, and so has every automatic bid: the id after that of its entry. */
function sharedIds({ ledger }: History): Violation[] {
  const holders = new Map<number, string>()
  return ledger.flatMap(({ id, event }) => {
    const hasReply = 'automatic' in event && event.automatic !== undefined
    const held: [number, string][] = [
      [id, `entry ${id}`],
      ...(hasReply ? [[id + 1, `the automatic bid of entry ${id}`] as [number, string]] : []),
    ]
    return held.flatMap(([heldId, holder]): Violation[] => {
      const other = holders.get(heldId)
      holders.set(heldId, holder)
      return other === undefined ? [] : [{ invariant: 1, message: `${other} and ${holder} share the id ${heldId}` }]
    })
  })
}

function checkEntry(
  created: Auction,
  ledger: readonly Entry[],
  index: number,
  entry: Entry,
  marginMs: number,
): Violation[] {
  const before = ledger[index - 1]
  const auction = termsAfter(created, before)
  const sequence = (before?.sequence ?? 0) + 1
  const isWithdrawal = entry.event.type === 'withdrawn'
  const withdrawn = isWithdrawal ? standingAfter(created, ledger.slice(0, index + 1)) : undefined
  const state = expectedState(auction, entry, before, withdrawn)
  const findings: readonly Finding[] = [
    entry.sequence !== sequence && [2, `has sequence ${entry.sequence} instead of ${sequence}`],
    show(entry.state) !== show(state) && [2, `has the state ${show(entry.state)} instead of ${show(state)}`],
    !isSameCurrency(entry.currency, auction.currency) && [2, 'is in another currency'],
    entry.atMs < (before?.atMs ?? entry.atMs) && [3, `is at ${entry.atMs}, before the previous entry`],
    isEnd(before) && !isRemembered(entry, before) && [6, 'follows the end'],
    ...(isRemembered(entry, before) ? [] : findingsOfEvent(auction, before, entry, marginMs)),
    ...(entry.event.type === 'corrected' ? findingsOfCorrection(created, before, entry, entry.event) : []),
    ...(isRepair(entry.event) ? findingsOfRepair(auction, before, { ...entry, event: entry.event }, withdrawn) : []),
    entry.event.type === 'withdrawn' &&
      !isEffective(
        blockIn(entry.event),
        isBlocked(entry.event.bidderId, before),
        hasBids(ledger.slice(0, index), entry.event.bidderId),
      ) && [6, 'is a withdrawal that changes nothing'],
  ]
  return findings
    .filter((finding) => finding !== false)
    .map(([invariant, finding]) => ({ invariant, message: `entry ${entry.id} of auction ${auction.id} ${finding}` }))
}

function findingsOfEvent(auction: Auction, before: Entry | undefined, entry: Entry, marginMs: number): Finding[] {
  const { atMs, event } = entry
  const endsMs = endMs(auction, before)
  const isOutside = atMs < auction.startTime.epochMs || atMs >= endsMs
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return [
        ...findingsOfBid(auction, before, { ...entry, event }),
        isOutside && [3, `is a bid at ${atMs}, outside the auction’s time`],
        isBlocked(event.bidderId, before) && [6, 'is a bid of a blocked bidder'],
      ]
    case 'bought': {
      const { buyerId, priceMinor } = event
      const { ownerId, buyNowPriceMinor } = auction
      return [
        isOffered(auction, before) !== true && [6, 'is a purchase without an offer'],
        priceMinor !== buyNowPriceMinor && [6, `is a purchase for ${priceMinor} instead of ${buyNowPriceMinor}`],
        buyerId === ownerId && [6, 'is a purchase by the owner'],
        isBlocked(buyerId, before) && [6, 'is a purchase of a blocked bidder'],
        isOutside && [3, `is a purchase at ${atMs}, outside the auction’s time`],
      ]
    }
    case 'cancelled':
      return [
        event.isForced !== true && !isCancellable(auction, before) && [6, 'cancels an auction that has bids'],
        atMs >= endsMs && [3, `is a cancellation at ${atMs}, after the end`],
      ]
    case 'corrected':
      return [
        hasHadBids(before) && [6, 'corrects an auction that has bids'],
        (before?.state.corrections?.count ?? 0) >= mostCorrections[event.by ?? 'staff'] && [
          6,
          'is one correction too many',
        ],
        atMs >= endsMs && [3, `is a correction at ${atMs}, after the end`],
      ]
    case 'extended':
    case 'withdrawn':
    case 'ended-early':
    case 'reserve-lowered':
      return []
    case 'closed': {
      const result = expectedResult(auction, before)
      return [
        show(event.result) !== show(result) && [6, `has the result ${show(event.result)} instead of ${show(result)}`],
        atMs < endsMs + marginMs && [6, `closes the auction at ${atMs}, before the end of the margin`],
      ]
    }
    default:
      return event satisfies never
  }
}

/** A correction changes what it names, and no more. */
function findingsOfCorrection(
  created: Auction,
  before: Entry | undefined,
  { atMs }: Entry,
  { terms, metadata }: Corrected,
): Finding[] {
  const earlier: Readonly<Record<string, unknown>> = termsAfter(created, before)
  const result: Readonly<Record<string, unknown>> = terms?.result ?? {}
  const isNamed = (stored: string) => terms?.fields.includes(fieldOf(stored))
  const changed = terms && Object.keys({ ...earlier, ...result }).filter(isTerm)
  const unnamed = changed?.filter((name) => !isNamed(name) && show(earlier[name]) !== show(result[name])) ?? []
  const merged = { ...textsOf(created, before).metadata, ...metadata?.patch }
  const kept = Object.entries(merged).filter(([, value]) => value !== null)
  const members = metadata?.patch === null || kept.length === 0 ? null : Object.fromEntries(kept)
  const problem = terms && problemOfTerms(terms.result)
  const startMs = termsAfter(created, before).startTime.epochMs
  return [
    unnamed.length > 0 && [6, `changes ${unnamed.join()}, which it does not name`],
    terms !== undefined && hasRepairedTerms(before) && [6, 'corrects the terms of a repaired auction'],
    metadata !== undefined && show(metadata.result) !== show(members) && [6, 'has other metadata than its patch makes'],
    problem !== undefined && [6, `corrects an auction to ${problem}`],
    isNamed('startTime') === true && atMs >= startMs && [6, `corrects the start at ${atMs}, after ${startMs}`],
    isNamed('endTime') === true &&
      atMs >= (terms?.result.endTime.epochMs ?? atMs) && [6, `corrects the end at ${atMs} to an earlier time`],
  ]
}

const isTerm = (name: string): boolean => !notTerms.includes(name)
const notTerms: readonly string[] = [
  ...['id', 'productId', 'ownerId', 'currency', 'createdAtMs', 'requestKey', 'title', 'description', 'metadata'],
]

function findingsOfBid(auction: Auction, before: Entry | undefined, entry: BidEntry): Finding[] {
  const { event } = entry
  const { maximumMinor, amountMinor, automatic, extendedEndMs } = event
  const { reply, movedMs } = expectedBid(auction, entry, before)
  return [
    ...(event.type === 'bid-placed'
      ? findingsOfOffer(auction, before, event)
      : findingsOfRaise(auction, before, event)),
    maximumMinor !== undefined && maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
    event.bidderId === auction.ownerId && [2, 'is a bid by the owner'],
    show(automatic) !== show(reply) && [2, `has the reply ${show(automatic)} instead of ${show(reply)}`],
    extendedEndMs !== movedMs && [3, `moves the end to ${extendedEndMs} instead of ${movedMs}`],
  ]
}

function findingsOfOffer(
  auction: Auction,
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: BidPlaced,
): Finding[] {
  const least = leastMinor(auction, before)
  const highest = highestMinor(auction, before)
  const leader = leaderOf(before)
  const presentMinor = leader?.bidderId === bidderId ? ceilingMinor(leader) : 0
  return [
    isLow(amountMinor, least) && [2, `offers ${amountMinor} minor units instead of at least ${least}`],
    isHigh(amountMinor, highest) && [2, `offers ${amountMinor} minor units instead of at most ${highest}`],
    isAboveOffer(auction, before, amountMinor) && [
      2,
      `offers ${amountMinor} minor units, although the auction can be bought for ${auction.buyNowPriceMinor}`,
    ],
    maximumMinor !== undefined &&
      maximumMinor < presentMinor && [2, `lowers a maximum to ${maximumMinor} from ${presentMinor} minor units`],
  ]
}

function findingsOfRaise(
  auction: Auction,
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: MaximumRaised,
): Finding[] {
  const leader = leaderOf(before)
  if (leader?.bidderId !== bidderId) return [[2, 'raises the maximum of a bidder that does not lead']]
  const presentMinor = ceilingMinor(leader)
  const isBid = !isLow(amountMinor, leastMinor(auction, before))
  return [
    maximumMinor <= presentMinor && [2, `raises a maximum to ${maximumMinor} from ${presentMinor} minor units`],
    isBid && [2, `only raises a maximum, although ${amountMinor} minor units are a bid`],
  ]
}
