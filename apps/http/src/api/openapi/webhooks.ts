import { type WebhookType, webhookTypes } from '../../configuration/webhooks.ts'
import { timestamp } from '../operations/example-data.ts'
import { messageResources } from '../webhooks/messages.ts'
import responses from './example-responses.json' with { type: 'json' }
import { capitalized, refTo } from './names.ts'
import type { OperationObject, ParameterObject, PathItem } from './openapi.ts'

/** When the service posts a message of each type. */
export const webhookSummaries: Readonly<Record<WebhookType, string>> = {
  'auction.created': 'An auction was created',
  'auction.bid': 'A bid was placed',
  'auction.corrected': 'An auction was corrected',
  'auction.extended': 'Staff gave an auction a later end',
  'auction.withdrawn': 'Staff withdrew the bids of a bidder, or blocked or unblocked a user',
  'auction.ended-early': 'Staff ended an auction',
  'auction.reserve-lowered': 'The reserve of an auction was lowered',
  'auction.ended': 'An auction has a final result',
}

export const messageName = (type: WebhookType): string => `${capitalized(type)}Message`

export const messageSchemas = Object.fromEntries(
  webhookTypes.map((type) => [messageName(type), messageResources[type]]),
)

const header = (name: string, description: string, example: string): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

export const webhookParameters = {
  WebhookId: header('webhook-id', 'Identifies the event: the same in each attempt.', 'evt_1_1'),
  WebhookTimestamp: header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.', '1896091200'),
  WebhookSignature: header(
    'webhook-signature',
    'One or two signatures, separated by a space: HMAC-SHA256 of `{id}.{timestamp}.{body}` in base64, after `v1,`.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
}

export const webhookDescription = `Posted at least once. The messages of an auction arrive in order: each is posted after the previous one was received. Signed as
[Standard Webhooks](https://www.standardwebhooks.com) 1.0 defines.`

const recorded = { auctionId: 1, sequence: 1, timestamp }
const { description: _, ...created } = responses.createAuction['An auction that runs for a week'].data
const [firstBid = {}] = responses.listEvents['The first event'].data.items
const { status, result } = responses.buyNow['Buying the chair for its buy-now price'].data

const repairs = responses.listRepairs['The repairs of an auction'].data.items

/** The event of a recorded repair, without its editor, whom events do not show. */
function eventOfRepair(type: string): object {
  const { editor: __ = '', ...event } = repairs.find((repair) => repair.type === type) ?? {}
  return event
}

const previousEndTime = '2030-02-07T12:00:00.000Z'
/** An auction without bids, which has just ended. */
const unbid = { currentPrice: 20, minimumNextBid: 20, bidCount: 0, leaderId: null, effectiveEndTime: timestamp }

const lost = { by: 'staff', reason: 'The coin was lost.' }

/** The data of a message of each type. */
export const webhookExamples: Readonly<Record<WebhookType, object>> = {
  'auction.created': { type: 'created', ...recorded, sequence: 0, auction: created },
  'auction.bid': firstBid,
  'auction.corrected': { type: 'corrected', ...recorded, by: 'owner', fields: ['title'] },
  'auction.extended': eventOfRepair('extended'),
  'auction.withdrawn': eventOfRepair('withdrawn'),
  'auction.ended-early': { type: 'ended-early', ...recorded, ...lost, previousEndTime, ...unbid },
  'auction.reserve-lowered': {
    type: 'reserve-lowered',
    ...recorded,
    by: 'owner',
    bids: [],
    ...unbid,
    reserveMet: false,
  },
  'auction.ended': { type: 'ended', ...recorded, status, result },
}

function operationOf(type: WebhookType): OperationObject {
  const summary = webhookSummaries[type]
  return {
    operationId: messageName(type),
    tags: ['Webhooks'],
    summary,
    description: webhookDescription,
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => refTo('parameters', name)),
    requestBody: {
      description: 'UTF-8. The signature covers the bytes as they are.',
      required: true,
      content: {
        'application/json': {
          schema: refTo('schemas', messageName(type)),
          examples: { message: { summary, value: { type, timestamp, data: webhookExamples[type] } } },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Received. The response must end within 15 seconds and have at most 16 KiB. After any other response, another attempt follows; `Retry-After` is respected.',
        headers: {},
      },
    },
  }
}

export const webhooks: Readonly<Record<string, PathItem>> = Object.fromEntries(
  webhookTypes.map((type) => [type, { post: operationOf(type) }]),
)
