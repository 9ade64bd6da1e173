import { samplePurchase } from '@auction/testing/samples'
import type { ListedView } from '../../../src/auction/view.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { momentAt } from '../../../src/values/moment.ts'
import { accepted } from '../../../src/values/result.ts'
import { type Planted, withService, withStoreOfProcess } from '../planted-bugs/planted.ts'

/** Plausible bugs in falling prices, and the problem by which the simulation must detect each one. */
export const bugsInFalling: Readonly<Record<string, readonly [plant: () => Planted, problem: RegExp]>> = {
  'the price falls some milliseconds after the edge of a step': [
    withStoreOfProcess((right) => ({
      async findAuction(id) {
        const auction = await right.findAuction(id)
        return auction && { ...auction, startTime: momentAt(auction.startTime.epochMs + 30) }
      },
    })),
    /is a purchase for \d+ instead of \d+$/,
  ],

  'a purchase is for the price at its decision, and not at its arrival': [
    withService((right) => ({
      async buyNow(purchase, retry) {
        await right.readAuction(purchase.auctionId).catch(() => undefined)
        return right.buyNow(purchase, retry)
      },
    })),
    /after the arrival of its request/,
  ],

  'what a buyer pays at most is ignored': [
    withService((right) => ({
      buyNow: ({ auctionId, purchase: { buyerId } }, retry, arrivedAtMs) =>
        right.buyNow({ auctionId, purchase: samplePurchase(buyerId, 1_000) }, retry, arrivedAtMs),
    })),
    /was requested as|without a request for it/,
  ],

  'a refusal names a price of an earlier one': [
    withService((right) => {
      const refused = new Map<AuctionId, Awaited<ReturnType<typeof right.buyNow>>>()
      return {
        async buyNow(purchase, retry, arrivedAtMs) {
          const bought = await right.buyNow(purchase, retry, arrivedAtMs)
          if (bought.ok || bought.refusal.code !== 'price-is-higher') return bought
          const first = refused.get(purchase.auctionId) ?? bought
          refused.set(purchase.auctionId, first)
          return first
        },
      }
    }),
    /price-is-higher.* was never true/,
  ],

  'a read shows the price of an earlier one': [
    withService((right) => {
      const seen = new Map<AuctionId, Pick<ListedView, 'currentPriceMinor'>>()
      return {
        async readAuction(id) {
          const read = await right.readAuction(id)
          if (!read.ok || read.value.result !== undefined) return read
          const first = seen.get(id) ?? read.value
          seen.set(id, first)
          const { currentPriceMinor } = first
          return accepted({ ...read.value, currentPriceMinor } as typeof read.value) // The cast: the price alone changes.
        },
      }
    }),
    /had currentPriceMinor/,
  ],
}
