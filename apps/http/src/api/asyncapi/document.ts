import type { JsonSchema } from '@valibot/to-json-schema'
import { webhookTypes } from '../../configuration/webhooks.ts'
import { resources } from '../openapi/document.ts'
import { parametersOf } from '../openapi/requests.ts'
import { plainJsonSchemas } from '../openapi/schemas.ts'
import { messageName, webhookDescription } from '../openapi/webhooks.ts'
import { followAuctions } from '../operations/follow-auctions.ts'
import { followSale } from '../operations/follow-sale.ts'
import { listEvents } from '../operations/list-events.ts'
import type { Operation } from '../operations/operation.ts'
import { eventName, messages, payloads, streams } from './messages.ts'

/**
 * Describes all streams and webhooks, from the schemas of the OpenAPI document. If anyone may read, the streams
 * need no token.
 */
export function createAsyncApiDocument(version: string, hasAnonymousReads = false) {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Auction service: events',
      version,
      description: introduction,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: 'application/json',
    servers: {
      service: {
        ...{ host: '{host}', protocol: 'https', description: 'The auction service, which clients call.' },
        variables: { host: { default: 'localhost', description: 'The host and port of the service.' } },
        ...(!hasAnonymousReads && { security: [ref('components/securitySchemes/bearer')] }),
      },
      endpoint: {
        ...{ host: '{host}', protocol: 'https', description: 'An endpoint of webhooks, which the service calls.' },
        variables: { host: { default: 'localhost', description: 'The host and port in the URL of the endpoint.' } },
      },
    },
    channels: {
      followAuction: streamChannel('followAuction', listEvents),
      followAuctions: streamChannel('followAuctions', followAuctions),
      followSale: streamChannel('followSale', followSale),
      webhooks: {
        address: null,
        title: 'Webhooks',
        description: webhookDescription,
        servers: [ref('servers/endpoint')],
        messages: messageRefs(webhookTypes.map(messageName)),
      },
    },
    operations: {
      followAuction: streamOperation('followAuction', listEvents),
      followAuctions: streamOperation('followAuctions', followAuctions),
      followSale: streamOperation('followSale', followSale),
      postWebhooks: {
        action: 'send',
        channel: ref('channels/webhooks'),
        title: 'Post webhooks',
        summary: 'Posts the events of all auctions to each endpoint',
        description: webhookDescription,
        bindings: { http: { method: 'POST' } },
        messages: refsInto('webhooks', webhookTypes.map(messageName)),
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      messages,
      schemas: payloadSchemas(),
    },
  }
}

const introduction = `A client follows auctions and sales by streams of server-sent events: it sends a GET with \`Accept: text/event-stream\`, and the service
sends the messages. The service posts webhooks to the endpoints that its operator configures.

Later versions may add messages and members. Clients must ignore those that they do not know. [openapi.json](openapi.json) describes all operations.`

const ref = (path: string) => ({ $ref: `#/${path}` })

type StreamName = keyof typeof streams

const messagesOf = (name: StreamName): readonly string[] => Object.keys(streams[name]).map(eventName)

const messageRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref(`components/messages/${name}`)]))

/** An operation refers to the messages of its channel. */
const refsInto = (channel: string, names: readonly string[]) =>
  names.map((name) => ref(`channels/${channel}/messages/${name}`))

function streamChannel(name: StreamName, operation: Operation) {
  const { route, docs } = operation
  const entries = parametersOf(operation).flatMap((parameter) => ('in' in parameter ? [parameter] : []))
  const inPath = entries.filter((parameter) => parameter.in === 'path')
  const parameters = inPath.map(({ name: parameter, description }) => [parameter, { description }])
  return {
    address: route.path,
    title: docs.summary,
    description: docs.description,
    servers: [ref('servers/service')],
    ...(inPath.length > 0 && { parameters: Object.fromEntries(parameters) }),
    messages: messageRefs(messagesOf(name)),
  }
}

function streamOperation(name: StreamName, operation: Operation) {
  const { route, docs } = operation
  const inQuery = parametersOf(operation).filter((parameter) => 'in' in parameter && parameter.in === 'query')
  const entries = inQuery.flatMap((parameter) => ('in' in parameter ? [parameter] : []))
  const query: JsonSchema = {
    type: 'object',
    required: entries.filter(({ required }) => required).map((parameter) => parameter.name),
    properties: Object.fromEntries(
      entries.map(({ name: parameter, schema, description }) => [parameter, { ...schema, description }]),
    ),
  }
  return {
    action: 'send',
    channel: ref(`channels/${name}`),
    title: docs.summary,
    summary: docs.summary,
    description: docs.description,
    bindings: { http: { method: route.method, query } },
    messages: refsInto(name, messagesOf(name)),
  }
}

/** The schemas of the messages, and those to which they refer. */
function payloadSchemas(): Readonly<Record<string, JsonSchema>> {
  const all = plainJsonSchemas({ ...resources, ...payloads })
  const reached = new Set<string>()
  const reach = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const [, other = ''] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) reach(other)
  }
  for (const name of Object.keys(payloads)) reach(name)
  return Object.fromEntries(Object.entries(all).filter(([name]) => reached.has(name)))
}
