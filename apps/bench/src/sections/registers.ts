import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import { type RegisterId, toUserId } from '@auction/domain/ids'
import { parseBidders, parseNewRegister } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import { createAuctions, newBid, startBidding } from '../bidding.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { measureInRounds, number, type Point } from '../measure/rows.ts'
import type { Bench, StoreRequest } from '../options.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

const biddersPerEntry = 100
const editor = 'bench'

/** Measures bids on auctions with a register of bidders and without one, and the first bid of a process. */
export function measureRegisters({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const benched = storeOf(kind)

  async function open(defer: Defer): Promise<Store> {
    const store = await benched.open(await benched.openScratch(uri, defer))
    defer(store.close)
    return store
  }

  const pointsOf = (clients: number): readonly Point[] => {
    const point = (key: string, label: string, prepare: (store: Store) => Promise<RegisterId | undefined>): Point => ({
      key: `${key} x${clients}`,
      ...{ label, clients },
      floor: key === 'registered' ? [`open x${clients}`, 'perSecond'] : undefined,
      async measure(defer) {
        const store = await open(defer)
        const registerId = await prepare(store)
        const { service, bid } = await startBidding(store, { auctions: options.auctions, registerId })
        defer(service.close)
        return runClosedLoop(bid, { ...options, clients })
      },
    })
    const auctions = `${number(options.auctions)} auctions`
    return [
      point('open', `placeBid, ${auctions} without a register`, async () => undefined),
      point('registered', `placeBid, ${auctions} with a register`, (store) => createRegister(store, biddersPerEntry)),
    ]
  }

  const bidders = options.registeredBidders
  const first: Point = {
    ...{ key: 'first x1', label: `first bid of a process, ${number(bidders)} bidders`, clients: 1, floor: undefined },
    async measure(defer) {
      const store = await open(defer)
      const withoutMs = await firstBidMs(store, undefined)
      return { moreMs: (await firstBidMs(store, await createRegister(store, bidders))) - withoutMs }
    },
  }
  return measureInRounds([...pointsOf(1), ...pointsOf(64), first], options.rounds, log)
}

/** A register of the users from 2 on, in entries of 100 bidders. It admits everyone else, too. */
async function createRegister(store: Store, bidders: number): Promise<RegisterId> {
  const service = createAuctionService({ store, clock: systemClock })
  const register = unwrap(parseNewRegister({ currency: 'USD', admits: 'everyone' }))
  const { id: registerId } = unwrap(await service.createRegister({ register, editor }))
  for (let from = 0; from < bidders; from += biddersPerEntry) {
    const listed = Array.from({ length: biddersPerEntry }, (_, index) => {
      const number = from + index
      return { bidderId: 2 + number, status: 'admitted', limit: 1e9, paddle: `P${number}` }
    })
    unwrap(await service.setBidders({ registerId, bidders: unwrap(parseBidders({ bidders: listed })), editor }))
  }
  await service.close()
  return registerId
}

/** The time of the first bid of a new service. */
async function firstBidMs(store: Store, registerId: RegisterId | undefined): Promise<number> {
  const creator = createAuctionService({ store, clock: systemClock })
  const [id] = await createAuctions(creator, 1, registerId)
  await creator.close()
  if (id === undefined) throw new Error('no auction was created')
  const service = createAuctionService({ store, clock: systemClock })
  const startMs = performance.now()
  unwrap(await service.placeBid(newBid(id, toUserId(2), 1)))
  const ms = performance.now() - startMs
  await service.close()
  return ms
}
