import { createMemorySealer } from '@auction/adapters/memory'
import type { Bid } from '../../../src/auction/bid.ts'
import { isStoreUnavailable } from '../../../src/store/errors.ts'
import type { Entry } from '../../../src/store/store.ts'
import { type AuctionId, bidIdOf, type UserId } from '../../../src/values/ids.ts'
import type { Process } from '../processes.ts'
import { isSealed, type World } from '../world.ts'

type SealedBid = { readonly bidderId: UserId; readonly text: string; readonly counts: boolean }

type Shown = Pick<Bid, 'id' | 'amountMinor'> & { readonly isWithdrawn?: boolean }

const textOf = ({ id, amountMinor, isWithdrawn = false }: Shown): string =>
  `${id}: ${amountMinor}${isWithdrawn ? ', withdrawn' : ''}`

/** All bids of an auction, newest first, computed in the plainest way. */
function bidsIn(ledger: readonly Entry[]): readonly SealedBid[] {
  const sealer = createMemorySealer()
  return ledger.flatMap(({ id, auctionId, sequence, event }): readonly SealedBid[] => {
    if (event.type !== 'sealed-bid' || !('sealed' in event)) return []
    const { bidderId } = event
    const isOwn = (entry: Entry) => 'bidderId' in entry.event && entry.event.bidderId === bidderId
    const laterOwn = ledger.filter((entry) => entry.sequence > sequence && isOwn(entry))
    const isWithdrawn = laterOwn.some((entry) => entry.event.type !== 'sealed-bid')
    const amountMinor = sealer.open(event, { auctionId, entryId: id, bidderId })
    return [{ bidderId, text: textOf({ id: bidIdOf(id), amountMinor, isWithdrawn }), counts: laterOwn.length === 0 }]
  })
}

/**
 * Bidders read their bids through a process, and others read what everyone sees: the bids that counted, if the auction
 * reveals them.
 */
export async function readSealedBids(world: World, process: Process): Promise<void> {
  const { everything, chance, problems } = world
  const { auctions, ledger } = await everything()
  for (const auction of auctions.filter(isSealed)) {
    const own = ledger.filter(({ auctionId }) => auctionId === auction.id)
    const bids = bidsIn(own.toSorted((a, b) => b.sequence - a.sequence))
    const isCancelled = own.some(({ event }) => event.type === 'cancelled')
    const isRevealed = !isCancelled && auction.reveal === 'bids'
    const shown = bids.filter(({ counts }) => isRevealed && counts)
    const bidderIds = new Set(bids.map(({ bidderId }) => bidderId))
    for (const viewerId of [undefined, ...bidderIds]) {
      const expected = isRevealed ? shown : bids.filter(({ bidderId }) => bidderId === viewerId)
      const limit = chance.pick([1, 2, 100])
      const listed = await listAll(process, auction.id, limit, viewerId)
      const read = await process.call((service) => service.readAuction(auction.id, viewerId))
      const [last] = bids.filter(({ bidderId }) => bidderId === viewerId)
      const right = [expected.map(({ text }) => text).join('; '), last?.counts === true ? last.text : '']
      const ownBid = read !== 'crashed' && read.ok ? read.value.ownBid : undefined
      const found = [listed.map(textOf).join('; '), ownBid == null ? '' : textOf(ownBid)]
      if (`${found}` !== `${right}`)
        problems.push(`user ${viewerId} reads the bids ${found} of auction ${auction.id}, not ${right}`)
    }
  }
}

async function listAll(process: Process, auctionId: AuctionId, limit: number, viewerId: UserId | undefined) {
  const bids: Bid[] = []
  for (let before: number | undefined; ; ) {
    const query = { limit, before, viewerId }
    const page = await process.call((service) => service.listBids(auctionId, query))
    if (page === 'crashed' || !page.ok) return bids
    bids.push(...page.value.items)
    if (page.value.next === undefined) return bids
    before = page.value.next
  }
}

/** Another user reads a confirmed bid: only that of an auction with a result is shown. */
export async function peek({ attempts, chance, processes, everything, problems }: World): Promise<void> {
  const confirmed = attempts.flatMap(({ type, response }) =>
    type === 'place-bid' && response.outcome === 'accepted' ? [response.bid] : [],
  )
  const [first, ...others] = confirmed
  if (first === undefined) return
  const { id, auctionId, bidderId } = chance.pick([first, ...others])
  const other = chance.pick([first, ...others]).bidderId
  const viewerId = other === bidderId ? undefined : other
  try {
    const isSeen = await chance.pick(processes).call(async (service) => {
      const [read, inAuction, ofBidder] = await Promise.all([
        service.readBid(id, viewerId),
        service.listBids(auctionId, { limit: 100, viewerId }),
        service.listBidsOfBidder(bidderId, { limit: 100, viewerId }),
      ])
      const isListed = inAuction.ok && inAuction.value.items.some((bid) => bid.bidderId === bidderId)
      return read.ok || isListed || (ofBidder.ok && ofBidder.value.items.some(({ bid }) => bid.auctionId === auctionId))
    })
    const { ledger } = await everything()
    const isOver = ledger.some((entry) => entry.auctionId === auctionId && entry.state.phase === 'closed')
    if (isSeen === true && !isOver) problems.push(`user ${viewerId} sees the sealed bid ${id} of user ${bidderId}`)
  } catch (error) {
    if (!isStoreUnavailable(error)) problems.push(`a read of a bid of another user failed: ${error}`)
  }
}
