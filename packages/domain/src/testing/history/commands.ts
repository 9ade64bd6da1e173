import type { NewAuction } from '../../auction/auction.ts'
import type { AuctionId } from '../../ids.ts'
import { isBidEntry } from '../../ledger/entry.ts'
import { type Currency, toMinor } from '../../money.ts'
import type { RequestKey } from '../../request-key.ts'
import { type History, type Refused, show, type Unknown } from '../history.ts'

/** One try to make something, with all that it asks for as one text. */
export type Try = {
  readonly key: string | undefined
  readonly asksFor: string
  readonly sentAtMs: number
  readonly answeredAtMs: number
  readonly answer: { readonly outcome: 'accepted'; readonly id: number; readonly as: string } | Refused | Unknown
}

/** What is stored of a request, as the text of what was asked for, and as that of what was answered. */
export type Made = {
  readonly id: number
  readonly key: string | undefined
  readonly asksFor: string
  readonly as: string
  readonly atMs: number
}

/** All that clients did to make one kind of thing, and all that there is of it. */
export type Commands = {
  readonly kind: 'auction' | 'bid'
  readonly tries: readonly Try[]
  readonly made: readonly Made[]
}

/** What the client called its request: a key has no blank, and stands last. */
const clientKey = (key: RequestKey | undefined): string | undefined => key?.split(' ').at(-1)

export function creations({ attempts, auctions }: History): Commands {
  return {
    kind: 'auction',
    tries: attempts.flatMap((attempt): Try[] => {
      if (attempt.type !== 'create-auction') return []
      const { answer } = attempt
      const told =
        answer.outcome === 'accepted'
          ? { outcome: answer.outcome, id: answer.auction.id, as: show(termsOfRequest(answer.auction)) }
          : answer
      return [tryOf(attempt, show(termsOfRequest(attempt.auction)), told)]
    }),
    made: auctions.map((auction) => {
      const asksFor = show(termsOfRequest(auction))
      return { id: auction.id, key: clientKey(auction.requestKey), asksFor, as: asksFor, atMs: auction.createdAtMs }
    }),
  }
}

export function biddings({ attempts, auctions, ledger }: History): Commands {
  const currencies = new Map<AuctionId, Currency>(auctions.map(({ id, currency }) => [id, currency]))
  return {
    kind: 'bid',
    tries: attempts.flatMap((attempt): Try[] => {
      if (attempt.type !== 'place-bid') return []
      const { bid, answer } = attempt
      const currency = currencies.get(bid.auctionId)
      const told =
        answer.outcome === 'accepted'
          ? { outcome: answer.outcome, id: answer.bid.id, as: asAnswered(answer.bid) }
          : answer
      return [tryOf(attempt, asAsked({ ...bid, amountMinor: currency && toMinor(bid.amount, currency) }), told)]
    }),
    made: ledger.filter(isBidEntry).map(({ id, auctionId, requestKey, atMs, event }) => ({
      id,
      key: clientKey(requestKey),
      asksFor: asAsked({ auctionId, ...event }),
      as: asAnswered({ auctionId, ...event, timestampMs: atMs }),
      atMs,
    })),
  }
}

const tryOf = (
  { key, sentAtMs, answeredAtMs }: Pick<Try, 'sentAtMs' | 'answeredAtMs'> & { readonly key?: string },
  asksFor: string,
  answer: Try['answer'],
): Try => ({ key, asksFor, sentAtMs, answeredAtMs, answer })

type Asked = { readonly auctionId: number; readonly bidderId: number; readonly amountMinor: number | undefined }

const asAsked = ({ auctionId, bidderId, amountMinor }: Asked): string =>
  `${amountMinor} minor units of bidder ${bidderId} on auction ${auctionId}`

const asAnswered = ({ timestampMs, ...bid }: Asked & { readonly timestampMs: number }): string =>
  `${asAsked(bid)} at ${timestampMs}`

const termsOfRequest = (auction: NewAuction): NewAuction => ({
  productId: auction.productId,
  ownerId: auction.ownerId,
  ...(auction.title === undefined ? {} : { title: auction.title }),
  ...(auction.description === undefined ? {} : { description: auction.description }),
  startingPriceMinor: auction.startingPriceMinor,
  minimumBidIncrementMinor: auction.minimumBidIncrementMinor,
  currency: auction.currency,
  startTime: auction.startTime,
  endTime: auction.endTime,
})
