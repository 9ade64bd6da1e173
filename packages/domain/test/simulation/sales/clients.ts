import type { SaleId } from '../../../src/values/ids.ts'
import { toSaleId } from '../../../src/values/ids.ts'
import { insist } from '../clients.ts'
import { drawnBid, drawnKnown, userOf } from '../draws.ts'
import { bidding, purchase } from '../requests.ts'
import type { Wish } from '../wishes.ts'
import { nowMs, type World } from '../world.ts'
import {
  adding,
  cancelling,
  creating,
  extending,
  listLots,
  readingSale,
  type SaleLog,
  type SentLot,
} from './requests.ts'

/** The parts in which clients add lots. A sale has at most these, so that even small queues have space for them. */
const parts: readonly [readonly string[], ...(readonly string[])[]] = [
  ['1', '2', '2A'],
  ['4', '3'],
  ['5', '6'],
  ['1', '2', '2A', '3', '4'],
  ['2A', '5'],
]
/** Its end is its own. */
const lotWithEnd = '5'

/** A sale that clients know, mostly the first one. */
function drawnSale({ chance }: World, log: SaleLog): { readonly id: SaleId; readonly firstEndMs: number } | undefined {
  const sales = log.flatMap(({ type, wanted, response }) =>
    type === 'create' && response.outcome === 'accepted'
      ? [{ id: response.saleId, firstEndMs: Date.parse(wanted.firstEndTime) }]
      : [],
  )
  const [first, ...others] = sales.slice(0, 4)
  if (first === undefined) return undefined
  return chance.percent(1) ? { ...first, id: toSaleId(999_999) } : chance.pick([first, first, ...others])
}

type Sale = NonNullable<ReturnType<typeof drawnSale>>

function createOne(world: World, log: SaleLog, name: string): Wish {
  const { chance } = world
  const make = () => {
    const firstEndMs = nowMs(world) + chance.pick([-5, 800, 1_500, 3_000, 3_000])
    const wanted = { title: `${name}/${chance.int(1, 1e6)}`, lotsPerInterval: chance.pick([1, 2]) }
    return creating(world, log, { ...wanted, firstEndTime: new Date(firstEndMs).toISOString() }, `create-${name}`)
  }
  return { request: make(), isKeyed: true, mistaken: make }
}

/** Lots that many clients add with the same content, and some with another. A repetition creates what is missing. */
function addSome(world: World, log: SaleLog, name: string, sale: Sale): Wish {
  const { chance } = world
  const key = chance.percent(40) ? `add-${name}` : undefined
  const isTrial = chance.percent(5)
  const make = () => {
    const variant = chance.percent(75) ? 'Lot' : name
    const lots = chance.pick(parts).map((lot): SentLot => {
      const title = `${variant} ${lot}`
      return lot === lotWithEnd
        ? { lot, title, endTime: new Date(sale.firstEndMs + 2_500).toISOString() }
        : { lot, title }
    })
    return adding(world, log, { saleId: sale.id, lots, isTrial }, key)
  }
  return { request: make(), isKeyed: true, mistaken: make }
}

function extendOne(world: World, log: SaleLog, name: string, { id: saleId }: Sale): Wish {
  const { chance } = world
  const make = () => {
    const reason = `outage ${name}/${chance.int(1, 1e6)}`
    return extending(world, log, { saleId, seconds: chance.pick([1, 1, 2]), reason }, `extend-${name}`)
  }
  return { request: make(), isKeyed: true, mistaken: make }
}

function cancelSome(world: World, log: SaleLog, name: string, { id: saleId }: Sale): Wish {
  const { chance } = world
  const key = chance.percent(50) ? `cancel-${name}` : undefined
  const make = () => cancelling(world, log, { saleId, lots: chance.pick([['1'], ['2A', '6'], ['3', '9']]) }, key)
  return { request: make(), isKeyed: key !== undefined, mistaken: make }
}

function bidOrBuy(world: World, client: number, name: string): Wish {
  const known = drawnKnown(world)
  const key = `offer-${name}`
  const make = () =>
    world.chance.percent(8)
      ? purchase(world, { auctionId: known.auction.id, buyerId: userOf(client) }, key)
      : bidding(world, drawnBid(world, client, known), key)
  return { request: make(), isKeyed: true, mistaken: make }
}

async function act(world: World, log: SaleLog, client: number, name: string): Promise<void> {
  const { chance, processes, known } = world
  const sale = drawnSale(world, log)
  const draw = chance.int(1, 100)
  if (sale === undefined || draw <= 3) return insist(world, createOne(world, log, name))
  if (draw <= 30) return insist(world, addSome(world, log, name, sale))
  if (draw <= 36) return void (await addSome(world, log, name, sale).request.send(chance.pick(processes)))
  if (draw <= 46) return insist(world, extendOne(world, log, name, sale))
  if (draw <= 62) return addWhileExtending(world, log, name, sale)
  if (draw <= 66) return insist(world, cancelSome(world, log, name, sale))
  if (draw <= 72) return void (await readingSale(world, log, sale.id).send(chance.pick(processes)))
  if (draw <= 82 || known.length === 0) return listLots(world, log, sale.id, processes)
  await insist(world, bidOrBuy(world, client, name))
}

/** Several requests add the same lots while the sale is extended, through any processes. */
async function addWhileExtending(world: World, log: SaleLog, name: string, sale: Sale): Promise<void> {
  const { chance, time } = world
  const wish = addSome(world, log, name, sale)
  const wishes = [wish, wish, extendOne(world, log, name, sale)]
  const sending = wishes.map(async (each) => {
    await time.sleep(chance.int(0, 60))
    await insist(world, each)
  })
  await Promise.all(sending)
}

/** A client creates sales, adds lots, extends and cancels them, bids on them and reads them. */
export async function actOnSales(world: World, log: SaleLog, client: number): Promise<void> {
  const { chance, time } = world
  const actions = chance.int(3, 12)
  const mostIdleMs = chance.pick([30, 100, 400])
  if (client <= 2) await insist(world, createOne(world, log, `${client}-first`))
  else await time.sleep(50)
  for (let action = 1; action <= actions; action++) {
    await time.sleep(chance.int(0, mostIdleMs))
    await act(world, log, client, `${client}-${action}`)
  }
}

/** Every process reads every sale and its lots, after all faults. */
export async function readLast(world: World, log: SaleLog): Promise<void> {
  const ids = new Set(
    log.flatMap(({ type, response }) =>
      type === 'create' && response.outcome === 'accepted' ? [response.saleId] : [],
    ),
  )
  for (const process of world.processes)
    for (const id of ids) {
      await readingSale(world, log, id, true).send(process)
      await listLots(world, log, id, [process], true)
    }
}
