import { initialState, maximumNextBidMinor } from '../../../src/auction/state.ts'
import type { AuctionId, UserId } from '../../../src/values/ids.ts'
import { addAmounts } from '../../../src/values/money.ts'
import { accepted, refused } from '../../../src/values/result.ts'
import { type PlantedBugs, withService } from './planted.ts'

/** Bugs in what reads and answers show. */
export const bugsInReads: PlantedBugs = {
  'a status follows the original end': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.effectiveEndTime === read.value.auction.endTime) return read
      return accepted({ ...read.value, status: 'Ended' })
    },
  })),

  'a status follows a clock that is read after the ledger': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      const later = await right.readAuction(id)
      if (!read.ok || !later.ok || later.value.status !== 'Ended') return read
      return accepted({ ...read.value, status: later.value.status })
    },
  })),

  'a reserve is returned as met after any bid': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.isReserveMet === undefined) return read
      return accepted({ ...read.value, isReserveMet: read.value.bidCount > 0 })
    },
  })),

  'buy now is returned as offered until the end': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.isBuyNowOffered === undefined) return read
      return accepted({ ...read.value, isBuyNowOffered: read.value.status === 'Active' })
    },
  })),

  'a read returns the minimum next bid of the lowest increment': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.bidCount === 0 || read.value.result !== undefined) return read
      const { auction, currentPriceMinor } = read.value
      return accepted({
        ...read.value,
        minimumNextBidMinor: addAmounts(currentPriceMinor, auction.minimumBidIncrementMinor),
      })
    },
  })),

  'a read returns the maximum next bid from the starting price': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.result !== undefined) return read
      return accepted({ ...read.value, maximumNextBidMinor: maximumNextBidMinor(read.value.auction, initialState) })
    },
  })),

  'a read returns a minimum next bid after the result': withService((right) => ({
    async readAuction(id) {
      const read = await right.readAuction(id)
      if (!read.ok || read.value.result === undefined) return read
      return accepted({ ...read.value, minimumNextBidMinor: read.value.currentPriceMinor })
    },
  })),

  'a list of the bids of a bidder lacks purchases': withService((right) => ({
    async listBidsOfBidder(...asked) {
      const listed = await right.listBidsOfBidder(...asked)
      if (!listed.ok) return listed
      return accepted({ ...listed.value, items: listed.value.items.filter(({ bid }) => bid.isPurchase !== true) })
    },
  })),

  'a read returns the title as it was created': withService((right) => {
    const titles = new Map<number, string | undefined>()
    return {
      async readAuction(id) {
        const read = await right.readAuction(id)
        if (!read.ok) return read
        const { title, ...auction } = read.value.auction
        if (!titles.has(id)) titles.set(id, title)
        const first = titles.get(id)
        return accepted({ ...read.value, auction: first === undefined ? auction : { ...auction, title: first } })
      },
    }
  }),

  'readers keep the first leader that they see': () => ({
    service(right) {
      const leaders = new Map<AuctionId, UserId>()
      return {
        ...right,
        async readAuction(id) {
          const read = await right.readAuction(id)
          if (!read.ok || read.value.leaderId === undefined) return read
          const leaderId = leaders.get(id) ?? read.value.leaderId
          leaders.set(id, leaderId)
          return accepted({ ...read.value, leaderId })
        },
      }
    },
  }),

  'a bid that is outbid at once is returned as leading': withService((right) => ({
    async placeBid(bid, retry) {
      const placed = await right.placeBid(bid, retry)
      return placed.ok ? { ...placed, value: { ...placed.value, leaderId: bid.bidderId } } : placed
    },
  })),

  'a placed bid has the leader of the head before it': withService((right) => ({
    async placeBid(bid, retry) {
      const before = await right.readAuction(bid.auctionId)
      const placed = await right.placeBid(bid, retry)
      if (!placed.ok || !before.ok) return placed
      return { ...placed, value: { ...placed.value, leaderId: before.value.leaderId } }
    },
  })),

  'a page skips one auction': withService((right) => ({
    async listAuctions(query) {
      if ('ids' in query) return right.listAuctions(query)
      const page = await right.listAuctions({ ...query, limit: query.limit + 1 })
      if (!page.ok || query.limit >= 100) return page
      return accepted({ ...page.value, items: page.value.items.slice(0, query.limit) })
    },
  })),

  'the bids of a bidder are listed without those that were outbid at once': withService((right) => ({
    async listBidsOfBidder(bidderId, query) {
      const page = await right.listBidsOfBidder(bidderId, query)
      if (!page.ok) return page
      const items = page.value.items.filter(({ bid }) => bid.outbidAtMinor === undefined)
      return accepted({ ...page.value, items })
    },
  })),

  'automatic bids are not found by their ids': withService((right) => ({
    async readBid(id) {
      const read = await right.readBid(id)
      return read.ok && read.value.automatic ? refused({ code: 'bid-not-found', bidId: id }) : read
    },
  })),

  'automatic bids are not listed': withService((right) => ({
    async listBids(id, query) {
      const page = await right.listBids(id, query)
      if (!page.ok) return page
      return accepted({ ...page.value, items: page.value.items.filter(({ automatic }) => automatic === undefined) })
    },
  })),
}
