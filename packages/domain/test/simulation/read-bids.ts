import type { Bid } from '../../src/auction/bid.ts'
import { type AuctionId, type BidId, toBidId } from '../../src/ids.ts'
import { type Entry, isBidEntry } from '../../src/ledger/entry.ts'
import type { AuctionService } from '../../src/service.ts'
import type { Process } from './processes.ts'
import type { World } from './world.ts'

/** A process lists the bids of every auction, page by page, and reads each by its id: the result must match the ledger. */
export async function readBids({ everything, known, chance, problems }: World, process: Process): Promise<void> {
  const { ledger } = await everything()
  for (const { auction } of known) {
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

type StoredBid = { readonly id: BidId; readonly amountMinor: number }

/** The bids of an entry, computed in the plainest way, newest first. */
function bidsIn(entry: Entry): readonly StoredBid[] {
  if (!isBidEntry(entry)) return []
  const { type, amountMinor, automatic } = entry.event
  const own = type === 'bid-placed' ? [{ id: entry.id, amountMinor }] : []
  return automatic === undefined ? own : [{ id: toBidId(entry.id + 1), amountMinor: automatic.amountMinor }, ...own]
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
