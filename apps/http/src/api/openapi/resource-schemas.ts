import type { ObjectSchema } from '@auction/domain/parsing'
import type { JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { FieldErrorResource } from '../../host/answers/problem-types.ts'
import { problemCodes } from '../answers/problem-types.ts'
import {
  AuctionListItem,
  AuctionResource,
  AuctionViewResource,
  BidResource,
  BoughtResource,
  CancelledResource,
  ResultResource,
  SoftCloseResource,
  SoldResource,
  UnsoldResource,
} from '../answers/resources.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { successName } from './names.ts'
import { problemSchema, problemSchemaName } from './problems.ts'
import { namedJsonSchemas } from './schemas.ts'

const resources = {
  Auction: AuctionResource,
  AuctionView: AuctionViewResource,
  AuctionListItem,
  AuctionResult: ResultResource,
  Sold: SoldResource,
  Unsold: UnsoldResource,
  Bought: BoughtResource,
  Cancelled: CancelledResource,
  SoftClose: SoftCloseResource,
  Bid: BidResource,
  FieldError: FieldErrorResource,
}

/** The schemas of all responses, by name. */
export const resourceSchemas = (): Readonly<Record<string, JsonSchema>> =>
  namedJsonSchemas({
    ...resources,
    ...Object.fromEntries(operations.map((operation) => [successName(operation), envelopeOf(operation)])),
    ...Object.fromEntries(problemCodes.map((code) => [problemSchemaName(code), problemSchema(code)])),
  })

function envelopeOf({ success }: Operation): ObjectSchema {
  return v.object({
    success: v.literal(true),
    message: v.pipe(v.string(), v.description('For people.')),
    data: success.data,
  })
}
