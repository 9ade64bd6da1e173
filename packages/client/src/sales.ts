import type { Connection, ReadOptions, WriteOptions } from './connection.ts'
import { wholeText } from './errors.ts'
import type { Body, Query, Schemas } from './operations.ts'
import type { Read, Write } from './registers.ts'
import { type Feed, type StreamOptions, streamOf } from './streams.ts'

/** What everyone sees of a lot. Sealed bids have neither a price nor a count. */
export type LotLine = Schemas['LotLine']

export type SaleEvent =
  /** The stream begins, or the sale has changed. */
  | (Schemas['SaleStreamData'] & { readonly type: 'sale' })
  /** All lots by number at first, then those that have changed. */
  | (Schemas['LotsStreamData'] & { readonly type: 'lots' })
  /** Each lot has arrived. */
  | (Schemas['ReadyStreamData'] & { readonly type: 'ready' })

/** The operations on sales. */
export const saleMethods = (connection: Connection, read: Read, write: Write) => ({
  createSale: (fields: Body<'createSale'>, options?: WriteOptions) => write<'createSale'>('api/Sales', fields, options),
  /** Adds up to 100 lots, all or none. A text is CSV. With `check`, nothing is added. */
  addLots: async (
    id: number,
    lots: Body<'addLots'> | string,
    { check = false, ...options }: WriteOptions & { readonly check?: boolean } = {},
  ) => write<'addLots'>(`api/Sales/${wholeText(id)}/Lots${check ? '?check=true' : ''}`, lots, options),
  extendSale: async (id: number, extension: Body<'extendSale'>, options?: WriteOptions) =>
    write<'extendSale'>(`api/Sales/${wholeText(id)}/Extension`, extension, options),
  cancelLots: async (id: number, cancellation: Body<'cancelLots'>, options?: WriteOptions) =>
    write<'cancelLots'>(`api/Sales/${wholeText(id)}/Cancellation`, cancellation, options),
  readSale: async (id: number, options?: ReadOptions) => read<'readSale'>(`api/Sales/${wholeText(id)}`, {}, options),
  listSales: (query?: Query<'listSales'>, options?: ReadOptions) => read<'listSales'>('api/Sales', query, options),
  listLots: async (id: number, query?: Query<'listLots'>, options?: ReadOptions) =>
    read<'listLots'>(`api/Sales/${wholeText(id)}/Lots`, query, options),
  /** All lots of a sale by one connection, then those that change, until each has a result. A new connection begins again with all. */
  followSale: (id: number, options: StreamOptions = {}): AsyncGenerator<SaleEvent, void> =>
    streamOf(connection, createSaleFeed(id, connection.clock.note), options),
})

function createSaleFeed(id: number, note: (now: unknown) => void): Feed<SaleEvent> {
  let isOver = false
  return {
    path: () => `api/Sales/${wholeText(id)}/Events`,
    receive(name, data) {
      note(data?.now)
      if (name === 'bye') isOver = data.reason === 'over'
      return name === 'bye' ? [] : [{ type: name, ...data }]
    },
    // Without a known end, nothing is read while the connection is lost.
    receivePage: () => [],
    receiveTime: () => [],
    dueMs: () => Number.POSITIVE_INFINITY,
    endMs: () => Number.NaN,
    isOver: () => isOver,
  }
}
