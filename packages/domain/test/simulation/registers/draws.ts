import type { BiddersOf, RegisterOf } from '@auction/testing/history'
import { sampleNewRegister } from '@auction/testing/samples'
import type { NewAuction } from '../../../src/auction/auction.ts'
import type { Register } from '../../../src/register/events.ts'
import { statuses } from '../../../src/register/events.ts'
import type { BidderChange } from '../../../src/register/fields.ts'
import { toPositiveDecimal } from '../../../src/values/amount.ts'
import { toRegisterId, type UserId } from '../../../src/values/ids.ts'
import { drawnAuction, userOf } from '../draws.ts'
import { drawnFalling } from '../falling/draws.ts'
import type { SentClaims } from '../requests.ts'
import { drawnSealed } from '../sealed/draws.ts'
import type { KnownAuction, World } from '../world.ts'

export const drawnRegister = ({ chance }: World, client: number): RegisterOf => ({
  ...sampleNewRegister({
    admits: chance.pick(['listed', 'listed', 'everyone']),
    currency: chance.percent(90) ? 'USD' : 'JPY',
    ...(chance.percent(75) && { claims: true }),
    ...(chance.percent(20) && { title: 'Spring sale' }),
  }),
  editor: `${client}`,
})

/** The registers that clients know, the first ones first. */
const knownRegisters = ({ attempts }: World): readonly Register[] =>
  attempts.flatMap(({ type, response }) =>
    type === 'create-register' && response.outcome === 'accepted' ? [response.register] : [],
  )

/** Mostly one of few registers, so that many requests are about the same one. */
function drawnKnownRegister(world: World): Register | undefined {
  const [first, ...others] = knownRegisters(world).slice(0, 3)
  return first && world.chance.pick([first, first, ...others])
}

/** An auction of any format, mostly with a register of its currency. */
export function drawnRegistered(world: World, client: number): NewAuction {
  const { chance } = world
  const register = drawnKnownRegister(world)
  if (register === undefined || chance.percent(5)) return drawnAuction(world, client)
  const id = chance.percent(98) ? register.id : toRegisterId(999_999)
  const registered = { registerId: id, ...(chance.percent(50) && { showPaddles: true }) }
  const currency = chance.percent(97) ? register.currency.code : 'EUR'
  const draw = chance.int(1, 100)
  if (draw <= 20) return drawnSealed(world, client, { ...registered, currency })
  if (draw <= 40) return drawnFalling(world, client, { ...registered, currency })
  return { ...drawnAuction(world, client), ...registered, currency: register.currency }
}

/** Bidders with few different entries, so that some changes change nothing. Mostly, each has another paddle. */
function drawnBidders({ chance }: World, users: readonly UserId[]): readonly BidderChange[] {
  const paddles = new Set<string>()
  return users.map((bidderId) => {
    const status = chance.pick([...statuses, 'admitted', 'admitted'] as const)
    const paddle = `${chance.percent(90) ? bidderId : userOf(chance.int(1, 5))}`
    const hasPaddle = chance.percent(60) && !paddles.has(paddle)
    if (hasPaddle) paddles.add(paddle)
    const limit = chance.percent(3) ? 0.001 : chance.pick([90, 104, 120, 150])
    return {
      ...{ bidderId, status },
      ...(chance.percent(50) && { limit: toPositiveDecimal(limit) }),
      ...(hasPaddle && { paddle }),
    }
  })
}

/** A change of one bidder or of several, or a change again that was sent before. */
export function drawnChange(world: World, editor: string, users = drawnUsers(world)): BiddersOf {
  const { chance, attempts } = world
  const register = drawnKnownRegister(world)
  const earlier = attempts.findLast(({ type }) => type === 'set-bidders')
  if (earlier?.type === 'set-bidders' && chance.percent(12)) return { ...earlier.change, editor }
  const bidders = drawnBidders(world, users)
  const isWithdrawn = bidders.length === 1 && bidders[0]?.status === 'refused' && chance.percent(40)
  return {
    registerId: register !== undefined && chance.percent(98) ? register.id : toRegisterId(999_999),
    ...{ editor, bidders },
    ...(isWithdrawn && { withdrawal: { reason: 'unpaid' } }),
    ...(chance.percent(15) && { expected: chance.pick([...statuses, 'none'] as const) }),
  }
}

function drawnUsers({ chance }: World): readonly UserId[] {
  const first = chance.int(1, 5)
  return Array.from({ length: chance.pick([1, 1, 1, 2, 4]) }, (_, index) => userOf(((first + index) % 5) + 1))
}

/** What the token of a user says, mostly of the register of the auction, with a limit around the price. */
export function drawnClaims(world: World, { auction, priceMinor }: KnownAuction): SentClaims | undefined {
  const { chance } = world
  const { registerId = drawnKnownRegister(world)?.id } = auction
  if (registerId === undefined || chance.percent(45)) return undefined
  const limit = chance.percent(2) ? 0.001 : Math.ceil(priceMinor / 100) + chance.pick([-10, 4, 6, 12, 20])
  const claimed = chance.percent(90) ? registerId : registerId + 1
  return { [claimed]: chance.percent(60) ? { limit: toPositiveDecimal(Math.max(limit, 0.001)) } : {} }
}
