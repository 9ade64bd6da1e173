import { startBidding } from '../bidding.ts'
import { type Operation, runClosedLoop } from '../measure/closed-loop.ts'
import { measureInRounds, number, type Point } from '../measure/rows.ts'
import type { Bench } from '../run.ts'
import type { Defer } from '../scope.ts'
import { batch } from '../stores/bench-store.ts'
import type { Subject } from '../stores/stores.ts'

type Start = (address: string, defer: Defer) => Promise<Operation>

/** Bids of the service, inserts by the driver alone, and what people write instead. */
export function measureBids({ options, log }: Bench, { store, uri }: Subject) {
  const { isBlocking, openRaw, alternatives } = store
  const spreads = {
    wide: { auctions: options.auctions, text: `${number(options.auctions)} auctions`, clients: 64 },
    hot: { auctions: 1, text: 'one hot auction', clients: 256 },
  } as const
  const rawClients = (bidders: number) => (isBlocking ? 1 : bidders)
  const points: Point[] = []

  function add(series: string, label: string, clients: number, start: Start, floor?: string, perOperation = 1): void {
    const measure: Point['measure'] = async (defer) => {
      const operation = await start(await store.openScratch(uri, defer), defer)
      return runClosedLoop(operation, { ...options, clients }, { perOperation })
    }
    const floorKey = openRaw && floor && `${floor} x${rawClients(clients)}`
    points.push({
      key: `${series} x${clients}`,
      label,
      clients,
      floor: floorKey ? [floorKey, 'perSecond'] : undefined,
      measure,
    })
  }

  function addPlaceBid(spread: keyof typeof spreads, clients: number, isKeyed: boolean, suffix: string): void {
    const { auctions, text } = spreads[spread]
    const start: Start = async (address, defer) => {
      const opened = await store.open(address)
      defer(opened.close)
      const { service, bid } = await startBidding(opened, { auctions, isKeyed })
      defer(service.close)
      return bid
    }
    add(`${spread}${suffix}`, `placeBid${suffix}, ${text}`, clients, start, `raw${suffix}`)
  }

  for (const isKeyed of [false, true]) {
    const suffix = isKeyed ? ' with a key' : ''
    if (openRaw) {
      const start: Start = async (address, defer) => (await openRaw(address, isKeyed, defer)).insert
      for (const clients of new Set([1, 64, 256].map(rawClients)))
        add(`raw${suffix}`, `raw insert${suffix}`, clients, start)
    }
    addPlaceBid('wide', 1, isKeyed, suffix)
    addPlaceBid('wide', spreads.wide.clients, isKeyed, suffix)
    addPlaceBid('hot', spreads.hot.clients, isKeyed, suffix)
  }
  if (openRaw) {
    const start: Start = async (address, defer) => (await openRaw(address, false, defer)).insertBatch
    add('raw batch', `raw insert of ${batch} at once`, rawClients(64), start, undefined, batch)
  }
  for (const [name, open] of Object.entries(alternatives ?? {})) {
    for (const [spread, { auctions, text, clients }] of Object.entries(spreads)) {
      const start: Start = (address, defer) => open(address, auctions, defer)
      add(`${name}, ${spread}`, `${name}, ${text}`, rawClients(clients), start, 'raw')
    }
  }
  return measureInRounds(points, options.rounds, log)
}
