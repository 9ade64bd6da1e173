import type { Entry, Store } from '../../../src/store/store.ts'
import { verifyAuction } from '../../../src/use-cases/verify-auction.ts'
import { verifyDirectory } from '../../../src/use-cases/verify-listed.ts'
import { verifySale } from '../../../src/use-cases/verify-sale.ts'
import type { Everything } from '../replicated-store.ts'
import { checkResponses } from './check-responses.ts'
import { compareLots, createdEndMs, entriesFor, type Model, type ModelLot, type ModelSale, readModel } from './model.ts'
import { attemptsOf, type SaleLog, type Times } from './requests.ts'

/** The promises about sales that stored data and responses break. */
export async function checkSales(store: Store, everything: Everything, log: SaleLog, times: Times): Promise<string[]> {
  const model = await readModel(store, everything)
  return [
    ...model.problems,
    ...checkDirectory(model, log),
    ...checkIds(model),
    ...model.sales.flatMap((sale) => [
      ...checkEntries(sale, log),
      ...sale.lots.flatMap((lot) => checkLot(sale, lot, log)),
    ]),
    ...checkResponses(model, log, times),
    ...(await verify(store, model)),
  ]
}

/** A listed sale has a request, and a key has one sale. */
function checkDirectory({ lines }: Model, log: SaleLog): string[] {
  const keyOf = new Map(attemptsOf(log, 'create').map(({ wanted, key }) => [wanted.title, key]))
  const keys = lines.map(({ fields }) => keyOf.get(fields.title))
  return keys.flatMap((key, index) => {
    if (key === undefined) return [`sale ${lines[index]?.id} is listed without a request`]
    return keys.indexOf(key) === index ? [] : [`${key} created two sales`]
  })
}

/** An id is that of one lot, and every auction of a sale is in its list. */
function checkIds({ sales, auctions }: Model): string[] {
  const problems: string[] = []
  const lotOf = new Map<number, string>()
  for (const { id, lots } of sales)
    for (const { lot, auctionId } of lots) {
      if (lotOf.has(auctionId)) problems.push(`auction ${auctionId} is lot ${lotOf.get(auctionId)} and ${lot} of ${id}`)
      lotOf.set(auctionId, `${lot} of ${id}`)
    }
  for (const { id, saleId, lot } of auctions) {
    const listed = lotOf.get(id)
    const own = saleId === undefined ? undefined : `${lot} of ${saleId}`
    if (listed !== own) problems.push(`auction ${id} is stored as lot ${own}, and listed as lot ${listed}`)
  }
  return problems
}

/** Each entry is that of a request, whole, and each extension of another one. */
function checkEntries({ id, entries, lots, extensions }: ModelSale, log: SaleLog): string[] {
  const lotOf = new Map(lots.map((lot) => [lot.lot, lot]))
  const additions = attemptsOf(log, 'add').filter(({ wanted }) => wanted.saleId === id && !wanted.isTrial)
  const isWhole = (event: Extract<Entry['event'] | ModelSale['entries'][number]['event'], { type: 'lots-added' }>) =>
    additions.some(
      ({ wanted }) =>
        wanted.lots.length === event.lots.length &&
        wanted.lots.every(({ lot, title }, index) => {
          const stored = lotOf.get(lot)?.auction?.title ?? title
          return event.lots[index]?.lot === lot && stored === title
        }),
    )
  const sent = attemptsOf(log, 'extend').filter(({ wanted }) => wanted.saleId === id)
  return [
    ...entries.flatMap(({ event, sequence }) =>
      event.type !== 'lots-added' || isWhole(event)
        ? []
        : [`entry ${sequence} of sale ${id} is no addition that was sent`],
    ),
    ...extensions.flatMap(({ reason, seconds, sequence }, index) => [
      ...(sent.some(({ wanted }) => wanted.reason === reason && wanted.seconds === seconds)
        ? []
        : [`extension ${sequence} of sale ${id} was not sent`]),
      ...(extensions.findIndex((other) => other.reason === reason) === index
        ? []
        : [`extension ${sequence} of sale ${id} is recorded a second time`]),
    ]),
  ]
}

/** The end of a lot is the one of its number, and every extension is in it at most once. */
function checkLot(sale: ModelSale, lot: ModelLot, log: SaleLog): string[] {
  const { auction, ledger } = lot
  const name = `lot ${lot.lot} of sale ${sale.id}`
  if (auction === undefined) return ledger.length === 0 ? [] : [`${name} has entries and no auction`]
  const problems: string[] = []
  const sent = attemptsOf(log, 'add').flatMap(({ wanted }) =>
    wanted.saleId === sale.id && !wanted.isTrial ? wanted.lots.filter((each) => each.lot === lot.lot) : [],
  )
  const content = sent.find(({ title }) => title === auction.title)
  if (content === undefined) return [`${name} has the content of no request`]
  const through = auction.saleSequence ?? 0
  if (through < lot.sequence || through > sale.entries.length)
    problems.push(`${name} includes entries up to ${through}`)
  const endMs = createdEndMs(sale, lot, content.endTime === undefined ? undefined : Date.parse(content.endTime))
  if (auction.endTime.epochMs !== endMs)
    problems.push(`${name} was created with the end ${auction.endTime.epochMs} instead of ${endMs}`)
  for (const extension of sale.extensions) {
    const own = entriesFor(lot, extension)
    const most = extension.sequence <= through ? 0 : 1
    if (own.length > most)
      problems.push(`${name} has extension ${extension.sequence} ${own.length} times, at most ${most}`)
  }
  return [...problems, ...checkMoves(sale, lot, name)]
}

/** Every move of the end is one of the sale, by its seconds. */
function checkMoves({ extensions }: ModelSale, { auction, ledger }: ModelLot, name: string): string[] {
  let endMs = auction?.endTime.epochMs
  return ledger.flatMap(({ event }) => {
    if (event.type !== 'extended' || endMs === undefined) return []
    const own = extensions.find(({ reason }) => reason === event.reason)
    const [beforeMs, afterMs] = [endMs, endMs + (own?.seconds ?? 0) * 1000]
    endMs = event.endMs
    if (own !== undefined && event.previousEndMs === beforeMs && event.endMs === afterMs) return []
    return [
      `${name} is extended from ${event.previousEndMs} to ${event.endMs} instead of from ${beforeMs} to ${afterMs}`,
    ]
  })
}

/** What operators run finds no difference, and names exactly the lots that have no auction. */
async function verify(store: Store, { sales }: Model): Promise<string[]> {
  const problems: string[] = []
  const directory = await verifyDirectory(store, 'sales')
  if (directory.difference !== undefined) problems.push('the directory of sales differs')
  for (const { id, lots } of sales) {
    const verified = await verifySale(store, id)
    const { difference, unfinishedLots, foreignLots } = verified.ok ? verified.value : { difference: verified }
    const missing = lots.filter(({ auction }) => auction === undefined).map(({ lot }) => lot)
    if (difference !== undefined) problems.push(`sale ${id} differs: ${JSON.stringify(difference)}`)
    if (`${unfinishedLots?.toSorted(compareLots)}` !== `${missing}`)
      problems.push(`sale ${id} has unfinished lots ${missing}, and its verification names ${unfinishedLots}`)
    if (foreignLots?.length !== 0) problems.push(`sale ${id} has lots with foreign auctions: ${foreignLots}`)
    for (const { auction } of lots) {
      const ofLot = auction && (await verifyAuction(store, auction.id))
      if (ofLot?.ok && ofLot.value.difference !== undefined)
        problems.push(`auction ${auction?.id} differs: ${JSON.stringify(ofLot.value.difference)}`)
    }
  }
  return problems
}
