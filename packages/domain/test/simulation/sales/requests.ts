import type { Attempt } from '@auction/testing/history'
import { sampleLots, sampleNewSale } from '@auction/testing/samples'
import { parseLotsCancellation, parseSaleExtension } from '../../../src/sale/fields.ts'
import type { LotsAdded } from '../../../src/use-cases/add-lots.ts'
import type { LotsCancelled } from '../../../src/use-cases/cancel-lots.ts'
import type { SaleExtended } from '../../../src/use-cases/extend-sale.ts'
import type { SaleView } from '../../../src/use-cases/read-sales.ts'
import type { AuctionId, SaleId } from '../../../src/values/ids.ts'
import { unwrap } from '../../../src/values/result.ts'
import { type Asked, ask, type Use } from '../ask.ts'
import { learn } from '../knowledge.ts'
import type { Process } from '../processes.ts'
import { nowMs, type Request, type World } from '../world.ts'

/** The fields of a lot that requests differ by. */
export type SentLot = { readonly lot: string; readonly title: string; readonly endTime?: string }

type Wanted = {
  readonly create: { readonly title: string; readonly firstEndTime: string; readonly lotsPerInterval: number }
  readonly add: { readonly saleId: SaleId; readonly lots: readonly SentLot[]; readonly isTrial: boolean }
  /** The reason is that of this request only. */
  readonly extend: { readonly saleId: SaleId; readonly seconds: number; readonly reason: string }
  readonly cancel: { readonly saleId: SaleId; readonly lots: readonly string[] }
  readonly read: { readonly saleId: SaleId; readonly isLast: boolean }
  readonly list: { readonly saleId: SaleId; readonly isLast: boolean }
}
type Shown = {
  readonly create: { readonly saleId: SaleId }
  readonly add: Pick<LotsAdded, 'lots'>
  readonly extend: Pick<SaleExtended, 'lots'>
  readonly cancel: Pick<LotsCancelled, 'lots'>
  readonly read: Pick<SaleView, 'counts' | 'status' | 'totalMinor' | 'extendedSeconds'>
  readonly list: { readonly lots: readonly { readonly lot: string | undefined; readonly auctionId: AuctionId }[] }
}

type Accepted<Type extends keyof Shown> = { readonly outcome: 'accepted' } & Shown[Type]

/** A request for a sale, and its response. */
export type SaleAttempt = {
  [Type in keyof Wanted]: { readonly type: Type; readonly wanted: Wanted[Type]; readonly key?: string } & Pick<
    Asked<Accepted<Type>>,
    'response'
  > &
    Asked<Accepted<Type>>['times']
}[keyof Wanted]

export type SaleLog = SaleAttempt[]

type Of<Type extends SaleAttempt['type']> = Extract<SaleAttempt, { readonly type: Type }>
export const attemptsOf = <Type extends SaleAttempt['type']>(log: SaleLog, type: Type): readonly Of<Type>[] =>
  log.filter((attempt): attempt is Of<Type> => attempt.type === type)

/** When entries were stored and auctions closed, by the clients’ clock. */
export type Times = {
  readonly storedAtMs: ReadonlyMap<number, number>
  readonly closedAtMs: ReadonlyMap<number, number>
}

/** The seconds between the ends of lots. */
const intervalSeconds = 1

const retryOf = (key: string | undefined) => (key === undefined ? undefined : { caller: 'client', key })

/** A request that is logged. A response that has lots to repeat is not settled for its client. */
function requestOf<Type extends keyof Wanted, Value>(
  world: World,
  log: SaleLog,
  type: Type,
  wanted: Wanted[Type],
  key: string | undefined,
  use: Use<Value>,
  shownOf: (value: Value) => Shown[Type],
): Request {
  return {
    name: `${type} ${key}`,
    async send(process) {
      const { response, times } = await ask(world, process, use, (value): Accepted<Type> => {
        return { outcome: 'accepted', ...shownOf(value) }
      })
      // The cast: the parts of one type.
      log.push({ type, wanted, ...(key !== undefined && { key }), ...times, response } as SaleAttempt)
      const isPartial = response.outcome === 'accepted' && hasLotsToRepeat(response)
      // The cast: senders read only the outcome, and the code of a refusal.
      return (isPartial ? { outcome: 'unknown' } : response) as Attempt['response']
    },
  }
}

const repeatable: readonly unknown[] = ['store-unavailable', 'overloaded']

const hasLotsToRepeat = (shown: object): boolean =>
  'lots' in shown && Array.isArray(shown.lots) && shown.lots.some(({ outcome }) => repeatable.includes(outcome))

export const creating = (world: World, log: SaleLog, wanted: Wanted['create'], key: string): Request => {
  const sale = sampleNewSale({
    ...wanted,
    startTime: '2029-12-31T00:00:00Z',
    intervalSeconds,
    lotDefaults: { productId: 1, ownerId: 200, startingPrice: 100, minimumBidIncrement: 5, buyNowPrice: 140 },
  })
  const use: Use<{ readonly id: SaleId }> = (service, arrivedAtMs) =>
    service.createSale({ sale, editor: 'clerk' }, { caller: 'client', key }, arrivedAtMs)
  return requestOf(world, log, 'create', wanted, key, use, ({ id: saleId }) => ({ saleId }))
}

export const adding = (world: World, log: SaleLog, wanted: Wanted['add'], key?: string): Request => {
  const { saleId, isTrial } = wanted
  const lots = sampleLots(...wanted.lots)
  const use: Use<LotsAdded> = (service, arrivedAtMs) =>
    service.addLots({ saleId, lots, editor: 'clerk', isTrial }, retryOf(key), arrivedAtMs)
  return requestOf(world, log, 'add', wanted, key, use, ({ lots }) => ({ lots }))
}

export const extending = (world: World, log: SaleLog, wanted: Wanted['extend'], key: string): Request => {
  const { saleId, ...fields } = wanted
  const extension = unwrap(parseSaleExtension(fields))
  const use: Use<SaleExtended> = (service, arrivedAtMs) =>
    service.extendSale({ saleId, extension, editor: 'clerk' }, { caller: 'client', key }, arrivedAtMs)
  return requestOf(world, log, 'extend', wanted, key, use, ({ lots }) => ({ lots }))
}

export const cancelling = (world: World, log: SaleLog, wanted: Wanted['cancel'], key?: string): Request => {
  const { saleId, lots } = wanted
  const cancellation = unwrap(parseLotsCancellation({ lots, reason: 'stolen' }))
  const use: Use<LotsCancelled> = (service, arrivedAtMs) =>
    service.cancelLots({ saleId, cancellation }, retryOf(key), arrivedAtMs)
  return requestOf(world, log, 'cancel', wanted, key, use, ({ lots }) => ({ lots }))
}

export const readingSale = (world: World, log: SaleLog, saleId: SaleId, isLast = false): Request => {
  const use: Use<SaleView> = (service) => service.readSale(saleId)
  return requestOf(world, log, 'read', { saleId, isLast }, undefined, use, (view) => view)
}

/** Reads the pages of lots, each from any process, and learns of their auctions. */
export async function listLots(
  world: World,
  log: SaleLog,
  saleId: SaleId,
  processes: readonly [Process, ...Process[]],
  isLast = false,
): Promise<void> {
  const sentAtMs = nowMs(world)
  const lots: Shown['list']['lots'][number][] = []
  let after: number | undefined
  do {
    const position = after
    const { response } = await ask(
      world,
      world.chance.pick(processes),
      (service) => service.listLots(saleId, { limit: 3, after: position }),
      (page) => ({ outcome: 'accepted' as const, page }),
    )
    if (response.outcome !== 'accepted') return
    const { items, next } = response.page
    for (const { auction } of items) {
      learn(world, auction)
      lots.push({ lot: auction.lot, auctionId: auction.id })
    }
    after = next
  } while (after !== undefined)
  const times = { sentAtMs, respondedAtMs: nowMs(world) }
  log.push({ type: 'list', wanted: { saleId, isLast }, ...times, response: { outcome: 'accepted', lots } })
}
