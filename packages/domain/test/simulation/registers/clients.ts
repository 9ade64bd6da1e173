import type { UserId } from '../../../src/values/ids.ts'
import { acting } from '../acting.ts'
import { insist } from '../clients.ts'
import { drawnBid, drawnKnown, userOf } from '../draws.ts'
import { drawnPurchase } from '../falling/draws.ts'
import { bidding, changeOfBidders, creation, purchase, reading, registering } from '../requests.ts'
import { drawnBid as drawnSealedBid } from '../sealed/draws.ts'
import { listSomething, type Wish } from '../wishes.ts'
import { isFalling, isSealed, type KnownAuction, type Request, type World } from '../world.ts'
import { drawnChange, drawnClaims, drawnRegister, drawnRegistered } from './draws.ts'

async function act(world: World, client: number, name: string): Promise<void> {
  const { chance, known, processes } = world
  const draw = chance.int(1, 100)
  if (known.length === 0 || draw <= 4) return insist(world, createOne(world, client, name))
  const one = drawnKnown(world)
  if (draw <= 6) await atOnce(world, (index) => registerOne(world, client, `${name}-${index}`).request)
  else if (draw <= 10) await atOnce(world, (index) => changeOne(world, `${name}-${index}`).request)
  else if (draw <= 14) await reading(world, one.auction.id).send(chance.pick(processes))
  else if (draw <= 16) await listSomething(world).send(chance.pick(processes))
  else if (draw <= 40) await insist(world, changeOne(world, name))
  else if (draw <= 75) await changeWhileBidding(world, client, name, one)
  else await insist(world, offerOne(world, userOf(client), name, one))
}

/** A wish with a key or without one: each of its requests is drawn. */
function wishOf(world: World, key: string, make: (key: string | undefined) => Request): Wish {
  const given = world.chance.percent(60) ? key : undefined
  return { request: make(given), isKeyed: given !== undefined, mistaken: () => make(given) }
}

const registerOne = (world: World, client: number, name: string): Wish =>
  wishOf(world, `register-${client}-${name}`, (key) => registering(world, drawnRegister(world, client), key))

const createOne = (world: World, client: number, name: string): Wish =>
  wishOf(world, `create-${client}-${name}`, (key) => {
    const auction = drawnRegistered(world, client)
    // The parsers of the samples have checked those of other formats.
    if (auction.format === undefined) return creation(world, auction, key)
    return creation(world, auction, key, () => auction as never)
  })

const changeOne = (world: World, name: string, users?: readonly UserId[]): Wish =>
  wishOf(world, `change-${name}`, (key) => changeOfBidders(world, drawnChange(world, name, users), key))

/** A bid or a purchase, as the format has them. */
const offerOne = (world: World, userId: UserId, name: string, known: KnownAuction): Wish =>
  wishOf(world, `offer-${name}`, (key) => {
    const { auction } = known
    const claims = drawnClaims(world, known)
    const wanted = { auctionId: auction.id, buyerId: userId }
    if (isFalling(auction)) return purchase(world, { ...drawnPurchase(world, 1, known), ...wanted }, key, claims)
    if (isSealed(auction)) return bidding(world, { ...drawnSealedBid(world, 1, known), bidderId: userId }, key, claims)
    const isBought = auction.buyNowPriceMinor !== undefined && world.chance.percent(15)
    if (isBought) return purchase(world, wanted, key, claims)
    return bidding(world, { ...drawnBid(world, 1, known), bidderId: userId }, key, claims)
  })

/** Sends requests for registers, or for one register, through one process: more than may wait there. */
async function atOnce({ chance, processes }: World, make: (index: number) => Request): Promise<void> {
  const process = chance.pick(processes)
  await Promise.all(Array.from({ length: 6 }, (_, index) => make(index).send(process)))
}

/** A register changes a bidder who bids at the same time, and through every process right after the response. */
async function changeWhileBidding(world: World, client: number, name: string, known: KnownAuction): Promise<void> {
  const { chance, processes } = world
  const userId = userOf(client)
  const offer = (index: number) => offerOne(world, userId, `${name}-${index}`, known).request
  const during = [1, 2].map((index) => offer(index).send(chance.pick(processes)))
  await changeOne(world, name, [userId]).request.send(chance.pick(processes))
  await Promise.all(processes.map((process, index) => offer(3 + index).send(process)))
  await Promise.all(during)
}

const actAfter = acting(act, createOne)

/** A client creates registers and auctions of every format with them, changes bidders, bids and buys. */
export async function actOnRegisters(world: World, client: number): Promise<void> {
  // Most registers are those of the first clients, for which the others wait a little.
  if (client <= 2) await insist(world, registerOne(world, client, 'first'))
  else await world.time.sleep(50)
  await actAfter(world, client)
}
