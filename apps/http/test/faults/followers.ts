import { type AuctionEvent, createAuctionClient } from '@auction/client'
import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import type { Violation } from '@auction/testing/history'
import { tokenOf } from '../support/tokens.ts'
import { lastBidder } from './clients.ts'
import type { HttpServer } from './http-server.ts'

/** What a client saw of an auction by event streams. */
type Follower = { readonly auctionId: AuctionId; from: number; readonly sequences: number[] }

export type Followers = {
  /** Resolves when every client has seen a bid of `lastBidder`. */
  readonly ended: Promise<unknown>
  /** The events that a follower did not see exactly once, in order, and with the same data as the others. */
  violations(ledger: readonly Entry[]): readonly Violation[]
}

/** Clients that follow auctions by the client, half of them from the beginning. They use the two servers in turn. */
export function startFollowers(
  servers: readonly [HttpServer, HttpServer],
  auctions: readonly AuctionId[],
  count: number,
): Followers {
  const followers: Follower[] = []
  /** The data of each event, which must be the same for all. */
  const events = new Map<string, string>()
  const violations: Violation[] = []
  const violate = (message: string) => void violations.push({ invariant: 7, message })

  async function follow(auctionId: AuctionId, number: number): Promise<void> {
    const { url } = servers[number % 2 === 0 ? 0 : 1]
    const follower: Follower = { auctionId, from: 0, sequences: [] }
    followers.push(follower)
    const client = createAuctionClient({ baseUrl: url, token: tokenOf(`follower ${number}`) })
    const after = number % 4 < 2 ? 0 : undefined
    try {
      for await (const event of client.events(auctionId, { after })) if (note(event)) return
    } catch (error) {
      violate(`follower ${number} failed: ${error}`)
    }

    /** Returns whether this is the last bid. */
    function note(event: AuctionEvent): boolean {
      if (event.type === 'snapshot') {
        if (after === 0 || follower.from > 0 || follower.sequences.length > 0) violate(`follower ${number} began again`)
        follower.from = event.sequence
      }
      if (!('auctionId' in event)) return false
      const [key, text] = [`${auctionId}/${event.sequence}`, JSON.stringify(event)]
      if (text !== (events.get(key) ?? text)) violate(`follower ${number} saw ${text}, another ${events.get(key)}`)
      events.set(key, text)
      follower.sequences.push(event.sequence)
      return event.type === 'bid' && event.bids.some(({ bidderId }) => bidderId === lastBidder)
    }
  }

  const ended = Promise.all(
    Array.from({ length: count }, (_, number) => {
      const auctionId = auctions[Math.floor(number / 4) % auctions.length]
      if (auctionId === undefined) throw new RangeError('there are auctions')
      return follow(auctionId, number)
    }),
  )

  return {
    ended,
    violations(ledger) {
      const shown = shownIn(ledger)
      for (const { auctionId, from, sequences } of followers) {
        const expected = (shown.get(auctionId) ?? []).filter((sequence) => sequence > from)
        if (`${expected}` !== `${sequences}`)
          violate(`a follower saw ${sequences} of auction ${auctionId}, not ${expected}`)
      }
      return violations
    },
  }
}

/** The sequences of the entries that have an event, by auctions that are not over. */
function shownIn(ledger: readonly Entry[]): ReadonlyMap<AuctionId, readonly number[]> {
  const shown = new Map<AuctionId, number[]>()
  const bidCounts = new Map<AuctionId, number>()
  for (const {
    auctionId,
    sequence,
    state: { bidCount = 0 },
  } of ledger.toSorted((a, b) => a.sequence - b.sequence)) {
    if (bidCount > (bidCounts.get(auctionId) ?? 0)) shown.set(auctionId, [...(shown.get(auctionId) ?? []), sequence])
    bidCounts.set(auctionId, bidCount)
  }
  return shown
}
