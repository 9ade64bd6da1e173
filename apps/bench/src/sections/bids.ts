import { startBidding } from '../bidding.ts'
import { type Operation, runClosedLoop } from '../measure/closed-loop.ts'
import { measureInRounds, number, type Point } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

/** Measures bids of the service, and inserts by the driver alone. */
export function measureBids({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const store = storeOf(kind)
  const { isBlocking, openRaw } = store
  const wide = { spread: 'wide', auctions: options.auctions, text: `${number(options.auctions)} auctions`, clients: 64 }
  const hot = { spread: 'hot', auctions: 1, text: 'one hot auction', clients: 256 }
  const rawClients = (bidders: number) => (isBlocking ? 1 : bidders)

  const point = (
    series: string,
    label: string,
    clients: number,
    start: (address: string, defer: Defer) => Promise<Operation>,
    floor?: string,
  ): Point => ({
    key: `${series} x${clients}`,
    label,
    clients,
    floor: openRaw && floor ? [`${floor} x${rawClients(clients)}`, 'perSecond'] : undefined,
    measure: async (defer) =>
      runClosedLoop(await start(await store.openScratch(uri, defer), defer), { ...options, clients }),
  })

  function pointsOf(isKeyed: boolean): readonly Point[] {
    const suffix = isKeyed ? ' with a key' : ''
    const startRaw = async (address: string, defer: Defer): Promise<Operation> => {
      const insert = await openRaw?.(address, isKeyed, defer)
      return async () => {
        await insert?.()
        return 'accepted'
      }
    }
    const raw = [...new Set([1, 64, 256].map(rawClients))].map((clients) =>
      point(`raw${suffix}`, `raw insert${suffix}`, clients, startRaw),
    )
    const bids = [{ ...wide, clients: 1 }, wide, hot].map(({ spread, auctions, text, clients }) => {
      const start = async (address: string, defer: Defer) => {
        const opened = await store.open(address)
        defer(opened.close)
        const { service, bid } = await startBidding(opened, { auctions, isKeyed })
        defer(service.close)
        return bid
      }
      return point(`${spread}${suffix}`, `placeBid${suffix}, ${text}`, clients, start, `raw${suffix}`)
    })
    return openRaw ? [...raw, ...bids] : bids
  }

  return measureInRounds([...pointsOf(false), ...pointsOf(true)], options.rounds, log)
}
