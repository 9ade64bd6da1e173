import type { CancellationOf, WantedRepair } from '@auction/testing/history'
import { auctionStatuses } from '../../src/auction/status.ts'
import {
  drawnAuction,
  drawnAuctionId,
  drawnBid,
  drawnBuyable,
  drawnCorrection,
  drawnKnown,
  drawnRepair,
  userOf,
} from './draws.ts'
import { bidding, cancellation, correction, creation, listing, listingOfAll, purchase, repair } from './requests.ts'
import { type KnownAuction, nowMs, type Request, type World } from './world.ts'

/** A request, and another one that its client sends under the same key. */
export type Wish = { readonly request: Request; readonly isKeyed: boolean; readonly mistaken: () => Request }

export function createSomething(world: World, client: number, name: string): Wish {
  const key = world.chance.percent(60) ? `create-${name}` : undefined
  const auction = drawnAuction(world, client)
  return {
    request: creation(world, auction, key),
    isKeyed: key !== undefined,
    mistaken: () => creation(world, drawnAuction(world, client), key),
  }
}

export function bidSomething(world: World, client: number, name: string, known = drawnKnown(world)): Wish {
  const key = world.chance.percent(60) ? `bid-${name}` : undefined
  return {
    request: bidding(world, drawnBid(world, client, known), key),
    isKeyed: key !== undefined,
    mistaken: () => bidding(world, drawnBid(world, client, drawnKnown(world)), key),
  }
}

export function buySomething(world: World, client: number, name: string): Wish {
  const key = world.chance.percent(60) ? `buy-${name}` : undefined
  const { auction } = drawnBuyable(world)
  const wanted = (buyer: number, id = auction.id) => ({ auctionId: drawnAuctionId(world, id), buyerId: userOf(buyer) })
  return {
    request: purchase(world, wanted(client), key),
    isKeyed: key !== undefined,
    mistaken: () => purchase(world, wanted(client + 1, drawnKnown(world).auction.id), key),
  }
}

export function cancelSomething(world: World, client: number, name: string): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `cancel-${name}` : undefined
  const wish = ({ auction }: KnownAuction): CancellationOf => ({
    auctionId: drawnAuctionId(world, auction.id),
    ...(chance.percent(50) ? { requesterId: chance.pick([auction.ownerId, auction.ownerId, userOf(client)]) } : {}),
    ...(chance.percent(50) ? { reason: chance.pick(['broken', 'lost']) } : {}),
    ...(chance.percent(25) ? { mayForce: true } : {}),
  })
  return {
    request: cancellation(world, wish(drawnKnown(world)), key),
    isKeyed: key !== undefined,
    mistaken: () => cancellation(world, wish(drawnKnown(world)), key),
  }
}

export function correctSomething(world: World, client: number, name: string, known: KnownAuction): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `correct-${name}` : undefined
  const expected = chance.percent(75) ? known.texts : undefined
  const { id, ownerId } = known.auction
  const wish = (text: string) => ({
    auctionId: drawnAuctionId(world, id),
    editor: `${client}`,
    ...(chance.percent(30) && { requesterId: chance.pick([ownerId, ownerId, ownerId, userOf(client)]) }),
    fields: drawnCorrection(world, known.auction, text),
  })
  return {
    request: correction(world, wish(`title ${name}`), expected, key),
    isKeyed: key !== undefined,
    mistaken: () => correction(world, wish(`another title ${name}`), expected, key),
  }
}

export function repairSomething(
  world: World,
  name: string,
  known: KnownAuction,
): Wish & { readonly wanted: WantedRepair } {
  const { chance } = world
  const key = chance.percent(70) ? `repair-${name}` : undefined
  const isPending = known.auction.startTime.epochMs > nowMs(world)
  const draw = isPending && chance.percent(50) ? 70 : chance.int(1, 100)
  const wanted = drawnRepair(world, known, draw)
  return {
    wanted,
    request: repair(world, wanted, key),
    isKeyed: key !== undefined,
    mistaken: () => repair(world, drawnRepair(world, known, draw), key),
  }
}

export function listSomething(world: World): Request {
  const { chance } = world
  const limit = chance.pick([1, 2, 100, 100])
  const list = limit < 100 && chance.percent(70) ? listingOfAll : listing
  const owner = chance.percent(30) ? { ownerId: userOf(chance.pick([1, 2, 100])) } : {}
  if (chance.percent(40)) return list(world, { order: 'agenda', status: 'Active', limit, ...owner })
  const status = chance.percent(70) ? { status: chance.pick(auctionStatuses) } : {}
  return list(world, { order: 'newest', limit, ...status, ...owner })
}
