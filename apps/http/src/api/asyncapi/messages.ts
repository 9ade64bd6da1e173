import type { JsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { type WebhookType, webhookTypes } from '../../configuration/webhooks.ts'
import responses from '../openapi/example-responses.json' with { type: 'json' }
import { capitalized, refTo } from '../openapi/names.ts'
import { integerFromZero } from '../openapi/schemas.ts'
import {
  messageName,
  messageSchemas,
  webhookExamples,
  webhookParameters,
  webhookSummaries,
} from '../openapi/webhooks.ts'
import * as event from '../responses/event-resources.ts'
import * as stream from '../responses/stream-resources.ts'

/** A kind of server-sent event. */
type StreamEvent = {
  readonly summary: string
  readonly data: v.GenericSchema
  /** Whether it has a position, from which a client continues. */
  readonly hasId: boolean
  readonly example: object
}

const { data: auction, now } = responses.readAuction['An auction with two bids']
const { items, missing } = responses.followAuctions['Two auctions, one of which does not exist'].data
const [state = {}] = items
const { items: lots } = responses.followSale['The lines of two lots'].data

const bye: StreamEvent = {
  summary: 'The server ends the stream',
  data: stream.ByeResource,
  hasId: false,
  example: { reason: 'age' },
}

/** The events of the ledger: all that webhooks have, too, but the first. */
const recorded: Readonly<Record<string, StreamEvent>> = Object.fromEntries(
  event.EventResource.options.map(({ entries: { type, ...data } }) => {
    const webhook: WebhookType = `auction.${type.literal}`
    const { type: _, ...example } = { type: '', ...webhookExamples[webhook] }
    return [type.literal, { summary: webhookSummaries[webhook], data: v.object(data), hasId: true, example }]
  }),
)

/** The events of each stream by their names. */
export const streams = {
  followAuction: {
    snapshot: {
      summary: 'The auction as it is when the stream begins',
      data: stream.SnapshotResource,
      hasId: true,
      example: { now, sequence: 2, auction },
    },
    ...recorded,
    reset: {
      summary: 'The auction has no event at the position of the client, so a snapshot follows',
      data: stream.ResetResource,
      hasId: false,
      example: { reason: 'position-ahead', from: 9, to: 2 },
    },
    bye,
  },
  followAuctions: {
    missing: {
      summary: 'Auctions that do not exist',
      data: stream.MissingResource,
      hasId: false,
      example: { ids: missing },
    },
    auction: {
      summary: 'The newest state of an auction',
      data: stream.StateEventResource,
      hasId: false,
      example: { now, ...state },
    },
    bye,
  },
  followSale: {
    sale: {
      summary: 'The sale, without its lots',
      data: stream.SaleEventResource,
      hasId: false,
      example: { now, id: 13, extendedSeconds: 0, extensions: [], lotCount: 4 },
    },
    lots: {
      summary: 'The newest lines of lots',
      data: stream.LotsEventResource,
      hasId: false,
      example: { now, lots },
    },
    ready: {
      summary: 'All lots have a line',
      data: stream.ReadyResource,
      hasId: false,
      example: { now },
    },
    bye,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, StreamEvent>>>>

const streamEvents: Readonly<Record<string, StreamEvent>> = {
  ...streams.followAuction,
  ...streams.followAuctions,
  ...streams.followSale,
}

/** The name of the message that is a server-sent event. */
export const eventName = (type: string): string => `${capitalized(type)}StreamEvent`

const eventData = (type: string): string => `${capitalized(type)}StreamData`

/** The schemas of all messages by their names. */
export const payloads: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(Object.entries(streamEvents).map(([type, { data }]) => [eventData(type), data])),
  ...messageSchemas,
}

const fieldsOf = (type: string, hasId: boolean): JsonSchema => ({
  type: 'object',
  description: 'The fields of the server-sent event. Its `data` is the payload.',
  required: hasId ? ['event', 'id'] : ['event'],
  properties: {
    event: { type: 'string', const: type },
    ...(hasId && { id: { ...integerFromZero, description: 'The position, for `Last-Event-ID`.' } }),
  },
})

function streamMessage(type: string, { summary, hasId, example }: StreamEvent) {
  const fields = { event: type, ...(hasId && 'sequence' in example && { id: example.sequence }) }
  return {
    name: type,
    title: `Event \`${type}\` of a stream`,
    summary,
    contentType: 'application/json',
    headers: fieldsOf(type, hasId),
    payload: refTo('schemas', eventData(type)),
    examples: [{ name: type, headers: fields, payload: example }],
  }
}

const webhookHeaders: JsonSchema = {
  type: 'object',
  required: Object.values(webhookParameters).map(({ name }) => name),
  properties: Object.fromEntries(
    Object.values(webhookParameters).map(({ name, description, schema }) => [name, { ...schema, description }]),
  ),
}

const webhookHeaderExamples = Object.fromEntries(
  Object.values(webhookParameters).map(({ name, example }) => [name, example]),
)

function webhookMessage(type: WebhookType) {
  const data = webhookExamples[type]
  return {
    name: type,
    title: `Webhook \`${type}\``,
    summary: webhookSummaries[type],
    contentType: 'application/json',
    headers: webhookHeaders,
    payload: refTo('schemas', messageName(type)),
    examples: [{ name: type, headers: webhookHeaderExamples, payload: { type, timestamp: now, data } }],
  }
}

/** All messages by their names. */
export const messages = Object.fromEntries<ReturnType<typeof streamMessage | typeof webhookMessage>>([
  ...Object.entries(streamEvents).map(([type, event]) => [eventName(type), streamMessage(type, event)] as const),
  ...webhookTypes.map((type) => [messageName(type), webhookMessage(type)] as const),
])
