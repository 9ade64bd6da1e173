import type { ObjectSchema } from '@auction/domain/parsing'
import { FieldErrorResource } from '@auction/host/responses'
import type { JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { Permission } from '../../configuration/permissions.ts'
import { describeSettings, permissionSettings } from '../../configuration/settings.ts'
import type { Operation, Requirement } from '../operations/operation.ts'
import { operations as table } from '../operations/table.ts'
import * as bid from '../responses/bid-resources.ts'
import * as event from '../responses/event-resources.ts'
import { problemCodes } from '../responses/refusals.ts'
import * as resource from '../responses/resources.ts'
import * as stream from '../responses/stream-resources.ts'
import { headers } from './headers.ts'
import { successName } from './names.ts'
import type { OperationObject, PathItem } from './openapi.ts'
import { problemSchema, problemSchemaName } from './problems.ts'
import { bodyOf, parametersOf, requestSchemas, sharedParameters } from './requests.ts'
import { responsesOf, sharedResponses } from './responses.ts'
import { namedJsonSchemas } from './schemas.ts'
import { messageSchemas, webhookParameters, webhooks } from './webhooks.ts'

/**
 * Generated from the table of operations. If anyone may read, public operations need no token, and their responses have
 * entity tags.
 */
export function createOpenApiDocument(version: string, hasAnonymousReads = false) {
  const operations = hasAnonymousReads ? table.map(openToAll) : table
  return {
    openapi: '3.1.1',
    info: {
      title: 'Auction service',
      version,
      summary: 'Create auctions, bid on them, buy, cancel and read them.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The maintainers of the auction service' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Auctions', description: 'Create, read, buy and cancel auctions.' },
      { name: 'Bids', description: 'Place and read bids.' },
      {
        name: 'Repairs',
        description: 'Extend and end auctions, withdraw bids and lower reserves, and read what was done.',
      },
      { name: 'Registers', description: 'Decide who may bid: create registers of bidders, change and read them.' },
      {
        name: 'Sales',
        description: 'Sell lots that end one after another: create sales, add lots, extend and read them.',
      },
      { name: 'Webhooks', description: 'What the service posts to the endpoints that its operator configures.' },
      { name: 'Health', description: 'Liveness and readiness. No token is required.' },
    ],
    paths: pathsOf(operations),
    webhooks,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters: { ...sharedParameters, ...webhookParameters },
      headers: { ...headers, ...(hasAnonymousReads && { ETag: { ...headers.ETag, required: false } }) },
      responses: sharedResponses(operations),
      schemas: { ...resourceSchemas(), ...requestSchemas(operations) },
    },
  }
}

const introduction = `Every response has an envelope: \`success\`, \`message\` and, on success, \`data\`. A failure is also an RFC 9457 problem; programs
use its \`code\`. A read after a 201 includes its effect. Paths are not case-sensitive. Every path supports \`OPTIONS\`, and \`HEAD\` where it supports \`GET\`.

Later versions may add response members, headers and problem codes. Clients must ignore those that they do not know.

[asyncapi.json](asyncapi.json) describes the events of streams and webhooks.`

type DocumentedOperation = Operation & { readonly security?: OperationObject['security'] }

const openToAll = (operation: Operation): DocumentedOperation =>
  operation.route.isPublic === true
    ? { ...operation, schemas: { ...operation.schemas, isTagged: true }, security: [{}, { bearer: [] }] }
    : operation

function pathsOf(operations: readonly DocumentedOperation[]): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {}
  for (const operation of operations) {
    const { path, method } = operation.route
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) }
  }
  return paths
}

function operationObject(operation: DocumentedOperation): OperationObject {
  const { route, docs, security } = operation
  const { tag, summary, description } = docs
  const permission = route.permissions && permissionsInWords(route.permissions)
  const anonymous = security === undefined ? '' : ' A request without a token needs no permission.'
  return {
    operationId: route.name,
    tags: [tag],
    summary,
    description: permission === undefined ? description : `${description}\n\nPermission: ${permission}.${anonymous}`,
    ...(permission === undefined ? { security: [] } : security && { security }),
    parameters: parametersOf(operation),
    ...bodyOf(operation),
    responses: responsesOf(operation),
  }
}

export const resources = {
  Auction: resource.AuctionResource,
  AuctionView: resource.AuctionViewResource,
  AuctionListItem: resource.AuctionListItem,
  AuctionResult: resource.ResultResource,
  Sold: resource.SoldResource,
  Unsold: resource.UnsoldResource,
  Bought: resource.BoughtResource,
  Cancelled: resource.CancelledResource,
  SoftClose: resource.SoftCloseResource,
  IncrementStep: resource.IncrementStepResource,
  BidSteps: resource.BidStepsResource,
  AuctionSummary: bid.AuctionSummary,
  Bid: bid.BidResource,
  BidderBid: bid.BidderBidResource,
  Event: event.EventResource,
  BidEvent: event.BidEventResource,
  CorrectedEvent: event.CorrectedEventResource,
  ExtendedEvent: event.ExtendedEventResource,
  WithdrawnEvent: event.WithdrawnEventResource,
  EndedEarlyEvent: event.EndedEarlyEventResource,
  ReserveLoweredEvent: event.ReserveLoweredEventResource,
  Repair: event.ListedRepairResource,
  ExtendedRepair: event.ExtendedRepairResource,
  WithdrawnRepair: event.WithdrawnRepairResource,
  CorrectedRepair: event.CorrectedRepairResource,
  EndedEarlyRepair: event.EndedEarlyRepairResource,
  ReserveLoweredRepair: event.ReserveLoweredRepairResource,
  EndedEvent: event.EndedEventResource,
  AuctionState: stream.StateResource,
  LotLine: stream.LotLineResource,
  CreatedAuction: event.CreatedAuction,
  CreatedEvent: event.CreatedEventResource,
  FieldError: FieldErrorResource,
}

const resourceSchemas = (): Readonly<Record<string, JsonSchema>> =>
  namedJsonSchemas({
    ...resources,
    ...messageSchemas,
    ...Object.fromEntries(table.map((operation) => [successName(operation), envelopeOf(operation)])),
    ...Object.fromEntries(problemCodes.map((code) => [problemSchemaName(code), problemSchema(code)])),
  })

function envelopeOf({ route, schemas }: Operation): ObjectSchema {
  const envelope = {
    success: v.literal(true),
    message: v.pipe(v.string(), v.description('A message for people.')),
    data: schemas.data,
  }
  const isRead = route.method === 'GET' && route.permissions !== undefined
  return v.object(isRead ? { ...envelope, now: stream.now } : envelope)
}

const permissionsInWords = ({ names, conjunction }: Requirement): string =>
  names.map(permissionInWords).join(` ${conjunction} `)

/** Describes in Markdown the value that a token needs for a permission, with its setting. */
function permissionInWords(permission: Permission): string {
  const setting = describeSettings().find(({ name }) => name === permissionSettings.get(permission))
  if (setting === undefined) return `\`${permission}\``
  return `\`${permission}\` (${setting.byDefault}, unless \`${setting.name}\` is set)`
}
