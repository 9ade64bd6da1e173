import { startMs } from '../processes.ts'
import {
  compareLots,
  entriesFor,
  isExtended,
  type Model,
  type ModelExtension,
  type ModelLot,
  type ModelSale,
} from './model.ts'
import { attemptsOf, type SaleLog, type Times } from './requests.ts'

// Whether responses are true of what is stored.

type Context = Times & { readonly log: SaleLog; readonly sales: ReadonlyMap<number, ModelSale> }

export function checkResponses({ sales }: Model, log: SaleLog, times: Times): string[] {
  const context: Context = { ...times, log, sales: new Map(sales.map((sale) => [sale.id, sale])) }
  return [
    ...attemptsOf(log, 'create').flatMap(({ response }) =>
      response.outcome === 'accepted' && !context.sales.has(response.saleId)
        ? [`sale ${response.saleId} is not listed`]
        : [],
    ),
    ...checkAdditions(context),
    ...checkExtensions(context),
    ...checkCancellations(context),
    ...checkReads(context),
    ...checkLists(context),
  ]
}

const lotIn = (sale: ModelSale | undefined, lot: string): ModelLot | undefined =>
  sale?.lots.find((each) => each.lot === lot)

/** Whether the result of a lot was recorded until a time. */
const isClosedBy = ({ closedAtMs }: Context, { auctionId }: ModelLot, atMs: number): boolean =>
  startMs + (closedAtMs.get(auctionId) ?? Number.POSITIVE_INFINITY) <= atMs + 1

/** Whether the rules may have refused an extension, because the end had passed for longer than it moves. */
const isPast = ({ auction }: ModelLot, { seconds, atMs }: ModelExtension): boolean =>
  (auction?.endTime.epochMs ?? 0) + seconds * 1000 <= atMs

const isStoredBy = ({ storedAtMs }: Context, id: number | undefined, atMs: number): boolean =>
  (storedAtMs.get(id ?? 0) ?? Number.POSITIVE_INFINITY) <= atMs

/** Whether the entry that lists a lot was stored before a time. */
const isListedBy = (context: Context, sale: ModelSale | undefined, lot: string, atMs: number): boolean =>
  isStoredBy(context, sale?.entries[(lotIn(sale, lot)?.sequence ?? 0) - 1]?.id, atMs)

function checkAdditions(context: Context): string[] {
  const problems: string[] = []
  for (const { wanted, response, sentAtMs, respondedAtMs, key } of attemptsOf(context.log, 'add')) {
    const sale = context.sales.get(wanted.saleId)
    const name = `addition ${key} to sale ${wanted.saleId} at ${sentAtMs}`
    if (response.outcome === 'refused') {
      const { code } = response
      // The cast: the members of this refusal.
      const { lots = [], errors = [] } = response as Partial<{ lots: readonly string[]; errors: Pointed[] }>
      if (code === 'lot-taken' && lots.length === 0) problems.push(`${name}: no lot was taken`)
      for (const lot of lots) {
        const taken = lotIn(sale, lot)
        const sent = wanted.lots.find((each) => each.lot === lot)
        if (sent === undefined || taken === undefined || taken.auction?.title === sent.title)
          problems.push(`${name}: lot ${lot} was taken by nothing else`)
      }
      if (code === 'sale-not-found' && sale !== undefined) problems.push(`${name}: the sale exists`)
      for (const { pointer } of errors) {
        const known = wanted.lots[Number(pointer.split('/')[2])]?.lot ?? ''
        if (isListedBy(context, sale, known, sentAtMs))
          problems.push(`${name}: ${pointer} is refused, and was added before`)
      }
    }
    if (response.outcome !== 'accepted') continue
    for (const [index, { lot, title }] of wanted.lots.entries()) {
      const row = response.lots[index]
      const stored = lotIn(sale, lot)
      const isRight = row?.lot === lot && (row.auctionId === stored?.auctionId || (wanted.isTrial && !row.auctionId))
      if (!isRight)
        problems.push(`${name} returned ${row?.lot} as ${row?.auctionId} instead of ${lot} as ${stored?.auctionId}`)
      if (wanted.isTrial) continue
      if (stored?.auction?.title !== title) problems.push(`${name}: lot ${lot} is stored as ${stored?.auction?.title}`)
      if (stored === undefined || sale === undefined) continue
      if (row?.endTime.epochMs !== stored.auction?.endTime.epochMs) problems.push(`${name}: lot ${lot} has another end`)
      for (const extension of sale.extensions) {
        if (!isStoredBy(context, extension.id, sentAtMs) || isExtended(stored, extension)) continue
        if (isClosedBy(context, stored, respondedAtMs) || isPast(stored, extension)) continue
        problems.push(`${name}: lot ${lot} lacks extension ${extension.sequence}`)
      }
    }
  }
  return problems
}
type Pointed = { readonly pointer: string }

/** Whether an accepted addition had returned a lot before a time. */
const isAcceptedBy = ({ log }: Context, saleId: number, lot: string, atMs: number): boolean =>
  attemptsOf(log, 'add').some(
    ({ wanted, response, respondedAtMs }) =>
      response.outcome === 'accepted' &&
      !wanted.isTrial &&
      wanted.saleId === saleId &&
      respondedAtMs < atMs &&
      response.lots.some((row) => row.lot === lot),
  )

function checkExtensions(context: Context): string[] {
  const problems: string[] = []
  for (const { wanted, response, sentAtMs, respondedAtMs } of attemptsOf(context.log, 'extend')) {
    if (response.outcome !== 'accepted') continue
    const sale = context.sales.get(wanted.saleId)
    const extension = sale?.extensions.find(({ reason }) => reason === wanted.reason)
    const name = `extension ${wanted.reason} of sale ${wanted.saleId} at ${sentAtMs}`
    if (sale === undefined || extension === undefined) {
      problems.push(`${name} is not stored`)
      continue
    }
    const expected = sale.lots.filter(({ sequence }) => sequence < extension.sequence).map(({ lot }) => lot)
    const rows = response.lots.map(({ lot }) => lot)
    if (`${rows}` !== `${expected}`) problems.push(`${name} has the lots ${rows} instead of ${expected}`)
    for (const { lot, outcome, endTime } of response.lots) {
      const stored = lotIn(sale, lot)
      if (stored === undefined) continue
      const [entry] = entriesFor(stored, extension)
      const endMs = entry?.event.type === 'extended' ? entry.event.endMs : stored.auction?.endTime.epochMs
      const isTrue = {
        extended: isExtended(stored, extension) && endTime?.epochMs === endMs,
        'auction-ended': isClosedBy(context, stored, respondedAtMs) && !isExtended(stored, extension),
        'auction-cancelled': isClosedBy(context, stored, respondedAtMs) && !isExtended(stored, extension),
        'end-not-in-future': isPast(stored, extension),
        'lot-unfinished': !isAcceptedBy(context, sale.id, lot, sentAtMs),
        'store-unavailable': true,
        overloaded: true,
      }[outcome as string]
      if (isTrue !== true) problems.push(`${name}: ${outcome} is not true of lot ${lot}`)
    }
  }
  return problems
}

function checkCancellations(context: Context): string[] {
  const problems: string[] = []
  for (const { wanted, response, sentAtMs, respondedAtMs } of attemptsOf(context.log, 'cancel')) {
    if (response.outcome !== 'accepted') continue
    const sale = context.sales.get(wanted.saleId)
    for (const { lot, outcome } of response.lots) {
      const stored = lotIn(sale, lot)
      const state = stored?.ledger.at(-1)?.state
      const result = state?.phase === 'closed' ? state.result.outcome : undefined
      const isClosed = stored !== undefined && isClosedBy(context, stored, respondedAtMs)
      const isTrue = {
        cancelled: isClosed && result === 'cancelled',
        // The end passes before the result is recorded.
        'auction-ended': result !== 'cancelled',
        'lot-not-found': !isListedBy(context, sale, lot, sentAtMs),
        'lot-unfinished': !isAcceptedBy(context, wanted.saleId, lot, sentAtMs),
        'idempotency-key-reused': true,
        'store-unavailable': true,
        overloaded: true,
      }[outcome as string]
      if (isTrue !== true) problems.push(`cancellation at ${sentAtMs}: ${outcome} is not true of lot ${lot}`)
    }
  }
  return problems
}

/** When everything is over, the view of a sale counts what its ledgers have. */
function checkReads(context: Context): string[] {
  return attemptsOf(context.log, 'read').flatMap(({ wanted, response }) => {
    const sale = context.sales.get(wanted.saleId)
    if (sale === undefined || !wanted.isLast) return []
    const results = sale.lots.flatMap(({ auction, ledger }) => {
      const state = ledger.at(-1)?.state
      return auction === undefined ? [] : [state?.phase === 'closed' ? state.result : undefined]
    })
    const count = (outcome: string | undefined) => results.filter((result) => result?.outcome === outcome).length
    const ofOutcomes = ['sold', 'bought', 'unsold', 'cancelled'].map((outcome) => [outcome, count(outcome)])
    const counts = { lots: results.length, open: count(undefined), ...Object.fromEntries(ofOutcomes) }
    const priceOf = (result: object | undefined) => (result && 'priceMinor' in result ? Number(result.priceMinor) : 0)
    const expected = {
      counts,
      status: results.length === 0 ? 'Pending' : 'Ended',
      totalMinor: BigInt(results.reduce((sum, result) => sum + priceOf(result), 0)),
      extendedSeconds: sale.extensions.reduce((sum, { seconds }) => sum + seconds, 0),
    }
    const show = (view: object) =>
      JSON.stringify(Object.keys(expected).map((name) => String(JSON.stringify(Object(view)[name], bigintAsText))))
    if (response.outcome === 'accepted' && show(response) === show(expected)) return []
    return [
      `the last read of sale ${sale.id} returned ${JSON.stringify(response, bigintAsText)} instead of ${show(expected)}`,
    ]
  })
}

const bigintAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

/** Pages have every lot that was acknowledged before, once, in the order of numbers. */
function checkLists(context: Context): string[] {
  return attemptsOf(context.log, 'list').flatMap(({ wanted, response, sentAtMs }) => {
    if (response.outcome !== 'accepted') return []
    const sale = context.sales.get(wanted.saleId)
    const labels = response.lots.map(({ lot = '' }) => lot)
    const name = `the list of lots of sale ${wanted.saleId} at ${sentAtMs}`
    const isOrdered = labels.every((lot, index) => index === 0 || compareLots(labels[index - 1] ?? '', lot) < 0)
    const isRight = response.lots.every(({ lot = '', auctionId }) => lotIn(sale, lot)?.auctionId === auctionId)
    const expected = (sale?.lots ?? []).filter(({ lot, auction }) =>
      wanted.isLast ? auction !== undefined : isAcceptedBy(context, wanted.saleId, lot, sentAtMs),
    )
    const missing = expected.filter(({ lot }) => !labels.includes(lot)).map(({ lot }) => lot)
    return [
      ...(isOrdered ? [] : [`${name} is out of order: ${labels}`]),
      ...(isRight ? [] : [`${name} has other lots than the sale: ${labels}`]),
      ...(missing.length === 0 ? [] : [`${name} lacks ${missing}`]),
    ]
  })
}
