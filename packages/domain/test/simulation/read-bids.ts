import type { SeenBid } from '@auction/testing/history'
import type { Bid } from '../../src/auction/bid.ts'
import type { AuctionService } from '../../src/service.ts'
import { isStoreUnavailable } from '../../src/store/errors.ts'
import type { Entry, EntryPosition } from '../../src/store/store.ts'
import { type AuctionId, type BidId, toBidId, type UserId } from '../../src/values/ids.ts'
import type { Process } from './processes.ts'
import { isSealed, type World } from './world.ts'

/**
 * A process lists the bids of every auction and those and the purchases of every user, page by page, and reads each bid
 * by its id: the result must match the ledger.
 */
export async function readBids({ everything, known, chance, problems }: World, process: Process): Promise<void> {
  const { ledger } = await everything()
  for (const [bidderId, entries] of Map.groupBy(ledger, userOf)) {
    if (bidderId === undefined) continue
    const stored = entries.toSorted((a, b) => b.atMs - a.atMs || b.id - a.id).map(({ id }) => id)
    const limit = chance.pick([1, 2, 100])
    const listed = await process.call((service) => listBidder(service, bidderId, limit))
    if (`${listed}` !== `${stored}`) problems.push(`of user ${bidderId}, the bids ${listed} are listed, not ${stored}`)
  }
  for (const { auction } of known) {
    if (isSealed(auction)) continue
    const own = ledger.filter(({ auctionId }) => auctionId === auction.id)
    const stored = own.toSorted((a, b) => b.sequence - a.sequence).flatMap(bidsIn)
    const limit = chance.pick([1, 2, 100])
    const listed = await process.call((service) => listAll(service, auction.id, limit))
    const read = await process.call((service) => Promise.all(stored.map(({ id }) => service.readBid(id))))
    if (listed === 'crashed' || read === 'crashed') throw new Error('no process crashes at the end')
    const ids = (bids: readonly StoredBid[]) => bids.map(({ id, amountMinor }) => `${id}: ${amountMinor}`).join(', ')
    if (ids(listed) !== ids(stored)) {
      problems.push(`of auction ${auction.id}, the bids ${ids(listed)} are listed instead of ${ids(stored)}`)
    }
    const found = read.flatMap((each) => (each.ok ? [each.value] : []))
    if (ids(found) !== ids(stored)) {
      problems.push(`of auction ${auction.id}, the bids ${ids(found)} are read instead of ${ids(stored)}`)
    }
  }
}

/** The user of a bid or a purchase, which the list of their bids has. */
function userOf({ event }: Entry): UserId | undefined {
  if (event.type === 'bought' || event.type === 'purchased') return event.buyerId
  return event.type === 'bid-placed' ? event.bidderId : undefined
}

/** The ids of all bids and purchases of a user. */
async function listBidder(service: AuctionService, bidderId: UserId, limit: number): Promise<readonly BidId[]> {
  const ids: BidId[] = []
  let after: EntryPosition | undefined
  do {
    const page = await service.listBidsOfBidder(bidderId, { limit, ...(after && { after }) })
    if (!page.ok) return ids
    ids.push(...page.value.items.map(({ bid }) => bid.id))
    after = page.value.next
  } while (after !== undefined)
  return ids
}

/** The history does not need whether a maximum was raised, but the response has it. */
type ConfirmedBid = SeenBid & Pick<Bid, 'raisesMaximum'>

/**
 * A client lists the bids of a user while others bid: every bid that was confirmed before must be there, and each once.
 */
export async function listBidsOfSomebody({ attempts, chance, processes, problems }: World): Promise<void> {
  const confirmed = attempts.flatMap(({ type, response }) =>
    type === 'place-bid' && response.outcome === 'accepted' ? [response.bid as ConfirmedBid] : [],
  )
  const [first, ...others] = confirmed
  if (first === undefined) return
  const { bidderId } = chance.pick([first, ...others])
  const limit = chance.pick([1, 2, 100])
  try {
    const listed = await chance.pick(processes).call((service) => listBidder(service, bidderId, limit))
    if (listed === 'crashed') return
    const expected = confirmed.filter((bid) => bid.bidderId === bidderId && !bid.raisesMaximum).map(({ id }) => id)
    const missing = expected.filter((id) => !listed.includes(id))
    if (missing.length > 0) problems.push(`the confirmed bids ${missing} of user ${bidderId} are not listed`)
    if (new Set(listed).size < listed.length) problems.push(`the bids ${listed} of user ${bidderId} are listed twice`)
  } catch (error) {
    if (!isStoreUnavailable(error)) problems.push(`a list of bids failed: ${error}`)
  }
}

type StoredBid = { readonly id: BidId; readonly amountMinor: number }

/** The bids of an entry, computed in the plainest way, newest first. */
function bidsIn({ id, event }: Entry): readonly StoredBid[] {
  const own = event.type === 'bid-placed' ? [{ id: toBidId(id), amountMinor: event.amountMinor }] : []
  const automatic = 'automatic' in event ? event.automatic : undefined
  return automatic === undefined ? own : [{ id: toBidId(id + 1), amountMinor: automatic.amountMinor }, ...own]
}

async function listAll(service: AuctionService, auctionId: AuctionId, limit: number): Promise<readonly Bid[]> {
  const bids: Bid[] = []
  let before: number | undefined
  do {
    const page = await service.listBids(auctionId, { limit, ...(before !== undefined && { before }) })
    if (!page.ok) return bids
    bids.push(...page.value.items)
    before = page.value.next
  } while (before !== undefined)
  return bids
}
