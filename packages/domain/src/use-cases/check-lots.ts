import type { NewAuction } from '../auction/auction.ts'
import { type AnyFields, formatOf, type Named } from '../auction/formats/formats.ts'
import { parseNewAuction } from '../auction/new-auction.ts'
import { endsAfterStart, pastEndError } from '../auction/rules.ts'
import type { Register } from '../register/events.ts'
import type { Sale } from '../sale/events.ts'
import type { Json, NewLot } from '../sale/fields.ts'
import { endMsByNumber, extendedMs, type LotList } from '../sale/lot-list.ts'
import type { AuctionId, RegisterId } from '../values/ids.ts'
import { latestMs, momentAt, toMoment } from '../values/moment.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import {
  allErrorsOf,
  type FieldError,
  type Parsed,
  type ValidationFailed,
  validationFailed,
} from '../values/validation.ts'
import { admittingOf } from './create-auction.ts'
import { asSealable } from './insert-auction.ts'

/** A lot with its auction, which is not stored yet. */
export type CheckedLot = {
  readonly lot: string
  /** Its end does not include the extensions of the sale. */
  readonly auction: NewAuction
  /** Whether its end is its own, and not by its number. */
  readonly isEndOwn: boolean
}

/** Extensions move an end by number all together, and an own end from the entry of the lot on. In milliseconds. */
export function movedMsOf(list: LotList, isEndOwn: boolean, sequence: number | undefined): number {
  return extendedMs(list, isEndOwn ? (sequence ?? list.sequence) : 0, list.sequence)
}

/** An auction with a later end. */
export function moved(auction: NewAuction, byMs: number): NewAuction {
  if (byMs === 0) return auction
  const format = formatOf(auction)
  const endTime = momentAt(auction.endTime.epochMs + byMs)
  const terms = { ...auction, id: noId }
  // The casts: the fields are those of the format, which makes an auction of it.
  const fields = { ...format.toFields(auction), ...format.movedWithEnd?.(terms, endTime), endTime } as AnyFields
  return format.toStored(fields) as NewAuction
}

const noId = 0 as AuctionId // What moves with an end does not depend on the id.

type Parts = Parameters<typeof asSealable>[0] & {
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
  /** Waits until other work has run. */
  readonly takeTurn: () => Promise<void>
}

/**
 * The lots that are checked in a turn. All lots of a request would hold up bids for some 20 ms, or several times that.
 */
const lotsPerTurn = 10

/**
 * Makes the auctions of lots: their own fields, those of the sale, and its defaults. Every error has the pointer of its
 * lot. The end of a lot that the sale does not have must be in the future.
 */
export async function checkLots(
  parts: Parts,
  sale: Sale,
  list: LotList,
  lots: readonly NewLot[],
  atMs: number,
  mayReadReserve: boolean,
): Promise<Result<readonly CheckedLot[], ValidationFailed>> {
  const defaults: Json = JSON.parse(sale.lotDefaults ?? '{}') // Of an object.
  const findingOnce = { ...parts, findRegister: createFindOnce(parts.findRegister) }
  const parsed: Parsed<CheckedLot>[] = []
  for (const [index, lot] of lots.entries()) {
    if (index % lotsPerTurn === 0) await parts.takeTurn()
    const secret = mayReadReserve ? undefined : hiddenReserveError(lot.fields, defaults)
    const checked =
      secret === undefined
        ? await checkLot(sale, list, defaults, lot, atMs, findingOnce)
        : refused(validationFailed(secret))
    parsed.push(checked.ok ? checked : refused(atLot(checked.refusal, index)))
  }
  const valid = parsed.flatMap((checked) => (checked.ok ? [checked.value] : []))
  return valid.length === lots.length ? accepted(valid) : refused(allErrorsOf(...parsed))
}

/** Finds each register once: many lots may name the same one. */
function createFindOnce(find: Parts['findRegister']): Parts['findRegister'] {
  const found = new Map<RegisterId, ReturnType<Parts['findRegister']>>()
  return (id) => {
    const finding = found.get(id) ?? find(id)
    found.set(id, finding)
    return finding
  }
}

const atLot = (refusal: ValidationFailed, index: number): ValidationFailed => ({
  ...refusal,
  errors: refusal.errors.map(({ pointer, message }) => ({ pointer: `/lots/${index}${pointer}`, message })),
})

async function checkLot(
  sale: Sale,
  list: LotList,
  defaults: Json,
  { lot, fields: own }: NewLot,
  atMs: number,
  parts: Parts,
): Promise<Parsed<CheckedLot>> {
  const known = list.find(lot)
  const isEndOwn = own['endTime'] != null
  const errors = ofSaleErrors(sale, own)
  if (errors.length > 0) return refused(validationFailed(...errors))
  const parsed = parseLot(sale, defaultsFor(own, defaults), own, lot)
  if (!parsed.ok) return parsed
  const { endTime } = moved(parsed.value, movedMsOf(list, isEndOwn, known?.sequence))
  const late = known === undefined ? pastEndError(endTime, atMs) : undefined
  if (late !== undefined)
    return refused(
      validationFailed(isEndOwn ? late : { ...late, message: `${late.message}; lot ${lot} ends at ${endTime.iso}` }),
    )
  const admitting =
    sale.registerId === undefined
      ? await admittingOf(parts.findRegister, parsed.value)
      : accepted({ registerAdmits: sale.registerAdmits })
  if (!admitting.ok) return admitting
  const sealable = asSealable(parts, { ...parsed.value, ...admitting.value } as NewAuction) // Of its format.
  return sealable.ok ? accepted({ lot, auction: sealable.value, isEndOwn }) : sealable
}

/** Parses the auction of a lot. Default times are those of lot 1, and move with the end. */
function parseLot(sale: Sale, defaults: Json, own: Json, lot: string): Parsed<NewAuction> {
  const { currency, startTime, firstEndTime, registerId } = sale
  const sent = own['endTime']
  const end = sent == null ? momentAt(endMsByNumber(sale, lot)) : toMoment(String(sent)) // It was checked.
  if (end.epochMs > latestMs)
    return refused(validationFailed({ pointer: '/lot', message: 'is too high: the lot would end after the year 9999' }))
  const { movedFields = [] } = formatOf({ format: formatIn(own, defaults) })
  const isMoved = movedFields.some((name) => defaults[name] !== undefined && !Object.hasOwn(own, name))
  const ofSale = { currency: currency.code, startTime: startTime.iso, ...(registerId && { registerId }) }
  const endTime = (isMoved ? momentAt(firstEndTime.epochMs) : end).iso
  const parsed = parseNewAuction({ ...defaults, ...own, ...ofSale, endTime }, Number.NEGATIVE_INFINITY)
  if (!parsed.ok || !isMoved) return parsed
  const auction = moved(parsed.value, end.epochMs - firstEndTime.epochMs)
  const message = endsAfterStart.errorIn(auction)
  return message === undefined ? accepted(auction) : refused(validationFailed({ pointer: '/endTime', message }))
}

/** The errors of fields that the sale decides. */
function ofSaleErrors({ currency, registerId }: Sale, own: Json): readonly FieldError[] {
  const errors: FieldError[] = []
  if (own['currency'] != null && own['currency'] !== currency.code)
    errors.push({ pointer: '/currency', message: `must be ${currency.code}, that of the sale` })
  if (own['registerId'] != null && registerId !== undefined)
    errors.push({ pointer: '/registerId', message: 'must be omitted: the sale has a register' })
  return errors
}

/** A reserve limits other prices, so an error of one would tell a caller something of a default that is kept. */
function hiddenReserveError(own: Json, defaults: Json): FieldError | undefined {
  const isLimited = own['startingPrice'] != null || own['buyNowPrice'] != null
  if (!isLimited || own['reservePrice'] !== undefined || !('reservePrice' in defaultsFor(own, defaults)))
    return undefined
  return {
    pointer: '/reservePrice',
    message: 'must be sent with startingPrice or buyNowPrice by a caller who may not read the reserve of the sale',
  }
}

/** The defaults that the format of a lot has. */
function defaultsFor(own: Json, defaults: Json): Json {
  const { entries } = formatOf({ format: formatIn(own, defaults) }).fields
  const names = Object.keys(defaults).filter((name) => name === 'format' || Object.hasOwn(entries, name))
  return Object.fromEntries(names.map((name) => [name, defaults[name]]))
}

/** The cast: an own format was checked, and so was a default. */
const formatIn = (own: Json, defaults: Json): Named['format'] => {
  const { format = defaults['format'] } = own
  return (format ?? undefined) as Named['format']
}
