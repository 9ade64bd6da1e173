import type { ReadOptions, WriteOptions } from './connection.ts'
import { wholeText } from './errors.ts'
import type { Body, OperationName, Query, ResultOf } from './operations.ts'

/** Sends a read. */
export type Read = <Name extends OperationName>(
  path: string,
  query?: object,
  options?: ReadOptions,
) => Promise<ResultOf<Name>>

/** Sends a write, by default a POST. A text is CSV. */
export type Write = <Name extends OperationName>(
  path: string,
  body: object | string,
  options?: WriteOptions & { readonly method?: 'POST' | 'PUT'; readonly ifMatch?: string | undefined },
) => Promise<ResultOf<Name>>

/** The operations on registers of bidders. */
export const registerMethods = (read: Read, write: Write) => ({
  createRegister: (fields: Body<'createRegister'>, options?: WriteOptions) =>
    write<'createRegister'>('api/Registers', fields, options),
  /** Sets the whole entry of a bidder. `ifMatch` is the `etag` of a read. */
  setBidder: async (
    id: number,
    bidderId: number,
    entry: Body<'setBidder'>,
    options: WriteOptions & { readonly ifMatch?: string } = {},
  ) => {
    const path = `api/Registers/${wholeText(id)}/Bidders/${wholeText(bidderId)}`
    return write<'setBidder'>(path, entry, { ...options, method: 'PUT' })
  },
  /** Sets the whole entries of up to 100 bidders, all or none. A text is CSV. With `check`, nothing is changed. */
  setBidders: async (
    id: number,
    bidders: Body<'setBidders'> | string,
    { check = false, ...options }: WriteOptions & { readonly check?: boolean } = {},
  ) => write<'setBidders'>(`api/Registers/${wholeText(id)}/Bidders${check ? '?check=true' : ''}`, bidders, options),
  readRegister: async (id: number, options?: ReadOptions) =>
    read<'readRegister'>(`api/Registers/${wholeText(id)}`, {}, options),
  listRegisters: (query?: Query<'listRegisters'>, options?: ReadOptions) =>
    read<'listRegisters'>('api/Registers', query, options),
  readBidder: async (id: number, bidderId: number, options?: ReadOptions) =>
    read<'readBidder'>(`api/Registers/${wholeText(id)}/Bidders/${wholeText(bidderId)}`, {}, options),
  listBidders: async (id: number, query?: Query<'listBidders'>, options?: ReadOptions) =>
    read<'listBidders'>(`api/Registers/${wholeText(id)}/Bidders`, query, options),
})
