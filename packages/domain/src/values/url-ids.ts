import type * as v from 'valibot'
import { AuctionId, BidId, ProductId, RegisterId, SaleId, UserId } from './ids.ts'
import { parseFirst } from './parsing.ts'
import { accepted, refused } from './result.ts'
import { type Parsed, validationFailed } from './validation.ts'

const digits = /^(0|[1-9]\d{0,15})$/

/** A number in a URL, or NaN: digits without a sign or leading zeros, so that each resource has one URL. */
export const numberInUrl = (text: string): number => (digits.test(text) ? Number(text) : Number.NaN)

const parserOf =
  <Schema extends v.GenericSchema>(schema: Schema, pointer: string) =>
  (text: string): Parsed<v.InferOutput<Schema>> => {
    const parsed = parseFirst(schema, numberInUrl(text))
    return parsed.ok ? accepted(parsed.value) : refused(validationFailed({ pointer, message: parsed.refusal.rule }))
  }

// Parsers of ids in URLs. A refusal has the pointer of the name that the id has in JSON.

export const parseAuctionId = parserOf(AuctionId, '/auctionId')
export const parseBidId = parserOf(BidId, '/bidId')
export const parseProductId = parserOf(ProductId, '/productId')
export const parseRegisterId = parserOf(RegisterId, '/registerId')
export const parseSaleId = parserOf(SaleId, '/saleId')
export const parseUserId = parserOf(UserId, '/userId')
