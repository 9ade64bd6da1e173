import * as v from 'valibot'
import { demands, httpUrl, list } from './value-checks.ts'

export const webhookTypes = [
  ...(['auction.created', 'auction.bid', 'auction.corrected', 'auction.extended', 'auction.withdrawn'] as const),
  ...(['auction.ended-early', 'auction.reserve-lowered', 'auction.ended'] as const),
] as const
export type WebhookType = (typeof webhookTypes)[number]

const isType = (name: unknown): name is WebhookType => webhookTypes.some((type) => type === name)

export const webhookEvents = v.pipe(
  list(`one or more of ${webhookTypes.join(', ')}, separated by commas`, isType),
  v.transform((names) => names.filter(isType)),
)

const secretValues =
  '`whsec_` followed by 24 to 64 random bytes in base64, or two of these, separated by a space, while one is being replaced'
const secretRule = `must be ${secretValues.replaceAll('`', '')}; create one with "echo whsec_$(openssl rand -base64 32)"`

/** Standard Webhooks 1.0 limits the length. */
export const webhookSecret = v.pipe(
  v.string(secretRule),
  v.regex(/^whsec_[A-Za-z\d+/]+={0,2}( whsec_[A-Za-z\d+/]+={0,2})?$/, secretRule),
  v.transform((secrets) => secrets.split(' ').map((secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'))),
  v.check((secrets) => secrets.every(({ length }) => length >= 24 && length <= 64), secretRule),
  demands({ values: secretValues, isSecret: true }),
)

const nameRule = 'must be 1 to 32 of the characters a-z, 0-9 and -'
const eventRule = `must be one of ${webhookTypes.join(', ')}`
const eventsRule = `must be a list of one or more of ${webhookTypes.join(', ')}`
const endpointMessage = ({ expected }: v.BaseIssue<unknown>): string => {
  if (expected === 'Object') return 'must be an object with name, url, secret and, optionally, events and pseudonyms'
  return expected === 'never'
    ? 'is not a known member; known members are name, url, secret, events, pseudonyms'
    : 'is required'
}
const endpoint = v.pipe(
  v.strictObject(
    {
      // Identifies what was delivered to the endpoint, even when its URL changes.
      name: v.pipe(v.string(nameRule), v.regex(/^[a-z\d-]{1,32}$/, nameRule)),
      url: httpUrl,
      secret: webhookSecret,
      events: v.optional(v.pipe(v.array(v.picklist(webhookTypes, eventRule), eventsRule), v.nonEmpty(eventsRule))),
      /** Whether it receives bidders as readers see them. */
      pseudonyms: v.optional(v.boolean('must be true or false'), false),
    },
    endpointMessage,
  ),
  v.transform(({ secret, events, pseudonyms, ...named }) => ({
    ...named,
    secrets: secret,
    types: events ?? [...webhookTypes],
    hasPseudonyms: pseudonyms,
  })),
)

/** An endpoint of webhooks. Each message is signed with all of its secrets. */
export type WebhookEndpoint = v.InferOutput<typeof endpoint>

const maxEndpoints = 20
const listValues = `a JSON array of 1 to ${maxEndpoints} objects with \`name\`, \`url\`, \`secret\` and, optionally, \`events\` and \`pseudonyms\``
const listRule = `must be ${listValues.replaceAll('`', '')}`

/** A list in the file, and a text in the environment. */
export const webhookList = v.pipe(
  v.union([v.pipe(v.string(), v.parseJson()), v.array(v.unknown())], listRule),
  v.array(endpoint, listRule),
  v.minLength(1, listRule),
  v.maxLength(maxEndpoints, listRule),
  v.check(
    (endpoints) => new Set(endpoints.map(({ name }) => name)).size === endpoints.length,
    'must have a different name for each endpoint',
  ),
  demands({ values: listValues, isSecret: true }),
)
