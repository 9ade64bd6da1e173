import { type Connection, newKey, type ReadOptions, type WriteOptions } from './connection.ts'
import { wholeText } from './errors.ts'
import { createSaleFeed, type SaleEvent } from './feeds.ts'
import type { Body, Data, Query, Refusal, ResultOf, Schemas } from './operations.ts'
import type { Read, Write } from './registers.ts'
import { type StreamOptions, streamOf } from './streams.ts'

type AddOptions = WriteOptions & { readonly check?: boolean }
type Added = ResultOf<'addLots'>
type Invalid = Extract<Refusal<'addLots'>, { readonly code: 'validation-failed' }>

/** The operations on sales of lots. */
export const saleMethods = (connection: Connection, read: Read, write: Write) => ({
  createSale: (fields: Body<'createSale'>, options?: WriteOptions) => write<'createSale'>('api/Sales', fields, options),
  /**
   * Adds any number of lots. A text is CSV. The service adds up to 100 at once, all or none, so more are sent in parts,
   * and the first part that is refused ends the call: those before it stay. With `check`, nothing is changed, and the
   * refusal has the errors of all parts.
   */
  async addLots(
    id: number,
    lots: Body<'addLots'> | string,
    { check = false, key = newKey(), ...options }: AddOptions = {},
  ): Promise<Added> {
    const path = `api/Sales/${wholeText(id)}/Lots${check ? '?check=true' : ''}`
    const parts = partsOf(lots)
    if (parts.length === 1) return write<'addLots'>(path, lots, { ...options, key })
    const added: Data<'addLots'>['lots'] = []
    const errors: Schemas['FieldError'][] = []
    let moreErrors = 0
    let refusal: Invalid | undefined
    for (const [index, part] of parts.entries()) {
      const keyOfPart = index === 0 ? key : `${key}.${index + 1}`
      const result = await write<'addLots'>(path, part, { ...options, key: keyOfPart })
      if (result.ok) added.push(...result.data.lots)
      else if (result.refusal.code !== 'validation-failed') return result
      else {
        refusal ??= result.refusal
        errors.push(...result.refusal.errors.map((error) => inWhole(error, index * lotsPerPart)))
        moreErrors += result.refusal.moreErrors ?? 0
        if (!check) break
      }
    }
    if (refusal === undefined) return { ok: true, data: { lots: added } }
    return { ok: false, refusal: { ...refusal, errors, ...(moreErrors > 0 && { moreErrors }) } }
  },
  readSale: async (id: number, options?: ReadOptions) => read<'readSale'>(`api/Sales/${wholeText(id)}`, {}, options),
  listSales: (query?: Query<'listSales'>, options?: ReadOptions) => read<'listSales'>('api/Sales', query, options),
  listLots: async (id: number, query?: Query<'listLots'>, options?: ReadOptions) =>
    read<'listLots'>(`api/Sales/${wholeText(id)}/Lots`, query, options),
  extendSale: async (id: number, extension: Body<'extendSale'>, options?: WriteOptions) =>
    write<'extendSale'>(`api/Sales/${wholeText(id)}/Extension`, extension, options),
  cancelLots: async (id: number, cancellation: Body<'cancelLots'>, options?: WriteOptions) =>
    write<'cancelLots'>(`api/Sales/${wholeText(id)}/Cancellation`, cancellation, options),
  /**
   * A sale and the lines of its lots by one connection: those of all lots, then `ready`, and then those that change,
   * until each lot has a result. A new connection has only lines that have changed since the one before.
   */
  followSale: (id: number, options: StreamOptions = {}): AsyncGenerator<SaleEvent, void> =>
    streamOf(connection, createSaleFeed(id, connection.clock.note), options),
})

const lotsPerPart = 100

function partsOf(lots: Body<'addLots'> | string): readonly (Body<'addLots'> | string)[] {
  if (typeof lots === 'string') return csvParts(lots)
  // The service refuses a body of another type.
  if (!(lots.lots?.length > lotsPerPart)) return [lots]
  return Array.from({ length: Math.ceil(lots.lots.length / lotsPerPart) }, (_, part) => ({
    lots: lots.lots.slice(part * lotsPerPart, (part + 1) * lotsPerPart),
  }))
}

/** Parts of a CSV, each with the header. Empty lines keep the numbers of its lines, which errors name. */
function csvParts(csv: string): readonly string[] {
  const text = csv.replace(/^\uFEFF/, '')
  const ends = rowEndsIn(text)
  const [header = 0] = ends
  const starts = ends.slice(0, -1).filter((_, row) => row % lotsPerPart === 0)
  if (starts.length < 2) return [csv]
  return starts.map((start, part) => {
    const before = text.slice(header, start).match(/\r\n?|\n/g) ?? []
    return text.slice(0, header) + '\n'.repeat(before.length) + text.slice(start, ends[(part + 1) * lotsPerPart])
  })
}

/**
 * The ends of the rows with text, of which the header is the first. A quote is one only where a cell begins with it.
 */
function rowEndsIn(text: string): readonly number[] {
  const [, delimiter = ','] = /^\s*.*?([,;])/.exec(text) ?? []
  const ends: number[] = []
  let [row, cell, isQuoted] = [0, 0, false]
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? '\n'
    if (at === text.length || (!isQuoted && /[\r\n]/.test(character))) {
      if (/[^\s,;"]/.test(text.slice(row, at))) ends.push(at)
      row = cell = at + 1
    } else if (character === '"' && text[cell] === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === delimiter) cell = at + 1
  }
  return ends
}

/** An error of a part, with the index of the lot in the whole list. */
const inWhole = ({ pointer, message }: Schemas['FieldError'], offset: number): Schemas['FieldError'] => ({
  pointer: pointer.replace(/^\/lots\/(\d+)/, (_, index) => `/lots/${Number(index) + offset}`),
  message,
})
