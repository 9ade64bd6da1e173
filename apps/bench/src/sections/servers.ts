import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { risingOffers } from '../bidding.ts'
import { bidAtRate } from '../http/bids-at-rate.ts'
import { hasNginx, type Route, startNginx } from '../http/nginx.ts'
import { startReceiver } from '../http/receiver.ts'
import { createAuctionsAt, startService } from '../http/server.ts'
import { runWrk } from '../http/wrk.ts'
import { measureInRounds, type Point, type Sample } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

type Servers = { readonly servers: number; readonly route: Route }

/** Clients that bid without a pause, and bids at a fixed rate. */
const crowds = [
  { auctions: 1, clients: 60 },
  { auctions: 20, clients: 300 },
  { auctions: 300, clients: 300 },
] as const
const rates = [
  { auctions: 1, bidsPerSecond: 5 },
  { auctions: 20, bidsPerSecond: 100 },
  { auctions: 300, bidsPerSecond: 300 },
] as const

/** The rate of the bids before a measurement at a fixed rate. */
const warmBidsPerSecond = 300
/** Bids at a fixed rate are measured for longer, since few of them come in a second. */
const timesLonger = 5

/**
 * Measures servers behind nginx on one store, whose requests go to them in turn or by auction, and one server alone.
 */
export async function measureServers({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const { uriVariable, openScratch } = storeOf(kind)
  const { rounds, seconds, serverCounts, warmBids } = options
  if (uriVariable === undefined) return []
  if (!hasNginx()) throw new Error('NOT MEASURED: nginx is not installed (apt install nginx)')

  /** Starts servers and nginx on a new database. Returns the origin of nginx. */
  async function start({ servers, route }: Servers, auctions: number, defer: Defer, others = {}): Promise<string> {
    const settings = { [uriVariable ?? '']: await openScratch(uri, defer), ...others }
    const first = await startService(settings, defer)
    const rest = await Promise.all(Array.from({ length: servers - 1 }, () => startService(settings, defer)))
    await createAuctionsAt(first, auctions)
    return startNginx([first, ...rest], route, defer)
  }

  /** Bids on warm servers. `settings` are further ones of the servers; `onWarm` is called when the measurement begins. */
  async function measureWait(
    what: Servers,
    { auctions, bidsPerSecond }: (typeof rates)[number],
    defer: Defer,
    { settings = {}, onWarm = async () => undefined }: { settings?: object; onWarm?: () => Promise<void> } = {},
  ): Promise<Sample> {
    const origin = await start(what, auctions, defer, settings)
    const nextBid = bidsAt(origin, auctions)
    await bidAtRate(nextBid, warmBidsPerSecond, (what.servers * warmBids) / warmBidsPerSecond)
    await onWarm()
    return bidAtRate(nextBid, bidsPerSecond, timesLonger * seconds)
  }

  const alone: Servers = { servers: 1, route: 'in turn' }
  const several = serverCounts.flatMap((servers): readonly Servers[] => [
    { servers, route: 'by auction' },
    { servers, route: 'in turn' },
  ])
  const nameOf = ({ servers, route }: Servers) => (servers === 1 ? 'one server' : `${servers} servers, ${route}`)

  const bidsOf = (what: Servers, { auctions, clients }: (typeof crowds)[number]): Point => ({
    key: `bids ${auctions} ${nameOf(what)}`,
    label: `bids on ${auctions} hot, ${nameOf(what)}`,
    clients,
    floor:
      what.servers > 1 && what.route === 'in turn'
        ? [`bids ${auctions} ${nameOf({ ...what, route: 'by auction' })}`, 'servedPerSecond']
        : undefined,
    async measure(defer) {
      const origin = await start(what, auctions, defer)
      const load = { auctions, seconds, connections: clients, mayBeRefused: true }
      for (let left = what.servers * warmBids; left > 0; ) {
        const { requests } = await runWrk({ origin }, load)
        if (requests === 0) throw new Error('no bid had a response')
        left -= requests
      }
      return (await runWrk({ origin }, load)).sample
    },
  })

  const waitOf = (what: Servers, rate: (typeof rates)[number]): Point => ({
    key: `wait ${rate.auctions} ${nameOf(what)}`,
    label: `${rate.bidsPerSecond} bids/s on ${rate.auctions}, ${nameOf(what)}`,
    clients: 1,
    floor: what.servers === 1 ? undefined : [`wait ${rate.auctions} ${nameOf(alone)}`, 'p50Ms'],
    measure: (defer) => measureWait(what, rate, defer),
  })

  const copiesOf = (what: Servers): Point => ({
    key: `copies ${nameOf(what)}`,
    label: `webhooks of 100 bids/s on 20, ${nameOf(what)}`,
    clients: 1,
    async measure(defer) {
      const receiver = await startReceiver(defer)
      const settings = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}` }
      let before = receiver.counts()
      // Copies that other servers post come a moment after the first one.
      const onWarm = async () => {
        await sleep(1_000)
        before = receiver.counts()
      }
      const sample = await measureWait(what, rates[1], defer, { settings, onWarm })
      await sleep(1_000)
      const { accepted, events } = receiver.counts()
      return { ...sample, copies: (accepted - before.accepted) / (events - before.events) }
    },
  })

  const points = [
    ...[alone, ...several].flatMap((what) => crowds.map((crowd) => bidsOf(what, crowd))),
    ...[alone, ...several.filter(({ route }) => route === 'in turn')].flatMap((what) => [
      ...rates.map((rate) => waitOf(what, rate)),
      copiesOf(what),
    ]),
  ]
  return measureInRounds(points, rounds, log)
}

function bidsAt(origin: string, auctions: number) {
  const nextOffer = risingOffers(auctions)
  return () => {
    const { auction, dollars, bidderId } = nextOffer()
    return { origin, auctionId: auction + 1, bidderId, amount: dollars }
  }
}
