import type { CancellationOf } from '@auction/testing/history'
import { acting } from '../acting.ts'
import { insist } from '../clients.ts'
import { drawnAuctionId, drawnKnown, userOf } from '../draws.ts'
import { bidding, cancellation, correction, creation, ownWithdrawal, purchase, reading, repair } from '../requests.ts'
import { listSomething, type Wish } from '../wishes.ts'
import { type KnownAuction, nowMs, type Request, type World } from '../world.ts'
import { drawnBid, drawnCorrection, drawnPurchase, drawnRepair, drawnSealed, drawnWithdrawal } from './draws.ts'
import { peek } from './read-bids.ts'

async function act(world: World, client: number, name: string): Promise<void> {
  const { chance, known, processes } = world
  const draw = chance.int(1, 100)
  if (known.length === 0 || draw <= 6) {
    await insist(world, createOne(world, client, name))
    const created = known.at(-1)
    return created && insist(world, correctOne(world, client, name, created))
  }
  const one = drawnKnown(world)
  if (draw <= 16) await meetTheEnd(world, client, name, one)
  else if (draw <= 26) await reading(world, one.auction.id).send(chance.pick(processes))
  else if (draw <= 30) await listSomething(world).send(chance.pick(processes))
  else if (draw <= 36) await peek(world)
  else if (draw <= 40) await insist(world, correctOne(world, client, name, one))
  else if (draw <= 50) await insist(world, repairOne(world, name, one))
  else if (draw <= 53) await insist(world, cancelOne(world, client, name))
  else if (draw <= 55) await purchase(world, drawnPurchase(world, client, one)).send(chance.pick(processes))
  else if (draw <= 65) await insist(world, withdrawOne(world, client, name))
  else if (draw <= 80) await insist(world, bidOne(world, client, name))
  else await bidAtOnce(world, client, name, one)
}

/** Several users bid on one auction through all processes at once, and some withdraw what they bid. */
async function bidAtOnce(world: World, client: number, name: string, known: KnownAuction): Promise<void> {
  const { chance, processes } = world
  const bids = [0, 1, 2].flatMap((index): readonly Request[] => [
    bidOne(world, client + index, `${name}-${index}`, known).request,
    ...(chance.percent(20) ? [withdrawOne(world, client + index, `${name}-${index}`, known).request] : []),
  ])
  await Promise.all(bids.map((request) => request.send(chance.pick(processes))))
}

/** How long a client waits for an end, in milliseconds. */
const maxWaitMs = 1_000

/** Bids, withdraws and reads through all processes, from shortly before the end of an auction until shortly after. */
async function meetTheEnd(world: World, client: number, name: string, known: KnownAuction): Promise<void> {
  const { chance, time, processes } = world
  const leftMs = known.endMs - nowMs(world)
  if (leftMs > 0) await time.sleep(Math.min(Math.max(0, leftMs - chance.int(0, 40)), maxWaitMs))
  const requests = [0, 1, 2, 3].flatMap((index): readonly Request[] => [
    bidOne(world, client + index, `${name}-${index}`, known).request,
    withdrawOne(world, client + index + 1, `${name}-${index}`, known).request,
    reading(world, known.auction.id),
  ])
  const sending = requests.map(async (request) => {
    await time.sleep(chance.int(0, 80))
    await request.send(chance.pick(processes))
  })
  await Promise.all(sending)
}

/** A wish with a key or without one: each of its requests is drawn. */
function wishOf(world: World, key: string, make: (key: string | undefined) => Request): Wish {
  const given = world.chance.percent(60) ? key : undefined
  return { request: make(given), isKeyed: given !== undefined, mistaken: () => make(given) }
}

const createOne = (world: World, client: number, name: string): Wish =>
  wishOf(world, `create-${client}-${name}`, (key) => {
    const auction = drawnSealed(world, client)
    return creation(world, auction, key, () => auction)
  })

const bidOne = (world: World, client: number, name: string, known?: KnownAuction): Wish =>
  wishOf(world, `bid-${name}`, (key) => bidding(world, drawnBid(world, client, known), key))

const withdrawOne = (world: World, client: number, name: string, known?: KnownAuction): Wish =>
  wishOf(world, `own-${name}`, (key) => ownWithdrawal(world, drawnWithdrawal(world, client, known), key))

const repairOne = (world: World, name: string, known: KnownAuction): Wish =>
  wishOf(world, `repair-${name}`, (key) => repair(world, drawnRepair(world, known), key))

function correctOne(world: World, client: number, name: string, known: KnownAuction): Wish {
  const { chance } = world
  const expected = chance.percent(50) ? known.texts : undefined
  const { id: auctionId, ownerId } = known.auction
  const asker = chance.percent(30) ? { requesterId: chance.pick([ownerId, userOf(client)]) } : {}
  return wishOf(world, `correct-${name}`, (key) => {
    const fields = drawnCorrection(world, `title ${name} ${chance.int(1, 1_000)}`)
    return correction(world, { auctionId, editor: `${client}`, ...asker, fields }, expected, key)
  })
}

const cancelOne = (world: World, client: number, name: string): Wish =>
  wishOf(world, `cancel-${name}`, (key) => {
    const { chance } = world
    const { auction } = drawnKnown(world)
    const wanted: CancellationOf = {
      auctionId: drawnAuctionId(world, auction.id),
      ...(chance.percent(50) && { requesterId: chance.pick([auction.ownerId, auction.ownerId, userOf(client)]) }),
      ...(chance.percent(30) && { reason: 'broken', mayForce: true }),
    }
    return cancellation(world, wanted, key)
  })

/** A client creates auctions with sealed bids, bids, withdraws bids, reads and lists. */
export const actOnSealed = acting(act, createOne)
