import type { CancellationOf } from '@auction/testing/history'
import { toPositiveDecimal } from '../../../src/values/amount.ts'
import { acting } from '../acting.ts'
import { insist } from '../clients.ts'
import { drawnAuctionId, drawnKnown, userOf } from '../draws.ts'
import { bidding, cancellation, correction, creation, purchase, reading, repair } from '../requests.ts'
import { listSomething, type Wish } from '../wishes.ts'
import { type KnownAuction, nowMs, type Request, type World } from '../world.ts'
import { drawnCorrection, drawnFalling, drawnPurchase, drawnRepair, nextStepMs } from './draws.ts'

async function act(world: World, client: number, name: string): Promise<void> {
  const { chance, known, processes } = world
  const draw = chance.int(1, 100)
  if (known.length === 0 || draw <= 12) {
    await insist(world, createOne(world, client, name))
    const created = known.at(-1)
    return created && insist(world, correctOne(world, client, name, created))
  }
  const one = drawnKnown(world)
  if (draw <= 40) await meetTheStep(world, client, name, one)
  else if (draw <= 50) await reading(world, one.auction.id).send(chance.pick(processes))
  else if (draw <= 56) await listSomething(world).send(chance.pick(processes))
  else if (draw <= 62) await insist(world, correctOne(world, client, name, one))
  else if (draw <= 72) await insist(world, repairOne(world, name, one))
  else if (draw <= 80) await insist(world, cancelOne(world, client, name))
  else if (draw <= 84) await bidding(world, anyBid(world, client, one)).send(processes[0])
  else await insist(world, buyOne(world, client, name))
}

/** Buys and reads an auction through all processes, from shortly before its next step until shortly after. */
async function meetTheStep(world: World, client: number, name: string, known: KnownAuction): Promise<void> {
  const { chance, time, processes } = world
  const leftMs = nextStepMs(world, known) - nowMs(world)
  await time.sleep(Math.min(Math.max(0, leftMs - chance.int(0, 60)), 2_000))
  const requests = [0, 1, 2, 3].flatMap((index): readonly Request[] => [
    buyOne(world, client + index, `${name}-${index}`, known).request,
    reading(world, known.auction.id),
  ])
  const sending = requests.map(async (request) => {
    await time.sleep(chance.int(0, 120))
    await request.send(chance.pick(processes))
  })
  await Promise.all(sending)
}

function createOne(world: World, client: number, name: string): Wish {
  const key = world.chance.percent(60) ? `create-${client}-${name}` : undefined
  const made = () => {
    const auction = drawnFalling(world, client)
    return creation(world, auction, key, () => auction)
  }
  return { request: made(), isKeyed: key !== undefined, mistaken: made }
}

function buyOne(world: World, client: number, name: string, known = drawnKnown(world)): Wish {
  const key = world.chance.percent(60) ? `buy-${name}` : undefined
  const made = () => purchase(world, drawnPurchase(world, client, known), key)
  return { request: made(), isKeyed: key !== undefined, mistaken: made }
}

function correctOne(world: World, client: number, name: string, known: KnownAuction): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `correct-${name}` : undefined
  const expected = chance.percent(50) ? known.texts : undefined
  const { id: auctionId, ownerId } = known.auction
  const asker = chance.percent(30) ? { requesterId: chance.pick([ownerId, userOf(client)]) } : {}
  const made = (text: string) => {
    const wanted = { auctionId, editor: `${client}`, ...asker, fields: drawnCorrection(world, known, text) }
    return correction(world, wanted, expected, key)
  }
  return { request: made(`title ${name}`), isKeyed: key !== undefined, mistaken: () => made(`another title ${name}`) }
}

function repairOne(world: World, name: string, known: KnownAuction): Wish {
  const key = world.chance.percent(70) ? `repair-${name}` : undefined
  const made = () => repair(world, drawnRepair(world, known), key)
  return { request: made(), isKeyed: key !== undefined, mistaken: made }
}

function cancelOne(world: World, client: number, name: string): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `cancel-${name}` : undefined
  const wish = ({ auction }: KnownAuction): CancellationOf => ({
    auctionId: drawnAuctionId(world, auction.id),
    ...(chance.percent(50) && { requesterId: chance.pick([auction.ownerId, auction.ownerId, userOf(client)]) }),
    ...(chance.percent(30) && { reason: 'broken', mayForce: true }),
  })
  const made = () => cancellation(world, wish(drawnKnown(world)), key)
  return { request: made(), isKeyed: key !== undefined, mistaken: made }
}

const anyBid = ({ chance }: World, client: number, { auction }: KnownAuction) => ({
  ...{ auctionId: auction.id, bidderId: userOf(client), amount: toPositiveDecimal(chance.pick([1, 200])) },
})

/** A client creates auctions whose prices fall, buys around their steps, reads and lists. */
export const actOnFalling = acting(act, createOne)
