import { defaultPageSize, maxPageSize } from '@auction/domain'
import { AuctionId, RegisterId, SaleId, UserId } from '@auction/domain/ids'
import { parseMoment } from '@auction/domain/moment'
import {
  type FieldError,
  numberInUrl,
  type ObjectSchema,
  type Parsed,
  pointerTo,
  validationFailed,
  withUnknownNames,
} from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { described, type HostProblem } from '@auction/host/responses'
import { asksForEvents } from '@auction/host/streams'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'

/** Parses the parameters of a path or a query strictly: unknown, repeated and invalid parameters are errors. */
export function parseParameters<Schema extends ObjectSchema>(
  schema: Schema,
  parameters: unknown,
): Parsed<v.InferOutput<Schema>> {
  // Fastify returns an object of strings, with an array for a repeated name.
  const texts = parameters as Readonly<Record<string, string | readonly string[]>>
  const entries = Object.entries(schema.entries)
  const values = Object.fromEntries(
    entries.flatMap(([name, entry]) => {
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined
      return text === undefined ? [] : [[name, isNumber(entry) ? numberIn(text) : text]]
    }),
  )
  const unknown = Object.keys(texts).filter((name) => !Object.hasOwn(schema.entries, name))
  const result = v.safeParse(schema, values)
  if (result.success && unknown.length === 0) return accepted(result.output)
  const errors = new Map<string, FieldError>()
  for (const { path, message } of result.issues ?? []) {
    const name = String(path?.[0]?.key)
    const isRepeated = Array.isArray(texts[name])
    const error = { pointer: pointerTo([name]), message: isRepeated ? 'must not be repeated' : message }
    if (!errors.has(name)) errors.set(name, error)
  }
  const rule = `is not a known query parameter; known parameters are ${entries.map(([name]) => name).join(', ')}`
  return refused(withUnknownNames([...errors.values()], unknown, rule))
}

/** A number in a URL. No schema accepts NaN, or the list of a repeated name. */
const numberIn = (text: string | readonly string[]): number | readonly string[] =>
  typeof text === 'string' ? numberInUrl(text) : text

/** Whether a schema is of a number, optional or not. A pipe has the type of its first part. */
const isNumber = (schema: v.ObjectEntries[string]): boolean =>
  'wrapped' in schema ? isNumber(schema.wrapped as typeof schema) : schema.type === 'number' // It wraps a schema.

export const AuctionPath = v.object({ id: v.pipe(AuctionId, v.description('The auction.')) })

/** Whether a change is only tried. */
export const Check = v.optional(
  v.pipe(
    v.picklist(['true', 'false'], 'must be true or false'),
    v.description('With `true`, nothing is changed: the response is that of the request without it, now.'),
  ),
)

export const SalePath = v.object({ id: v.pipe(SaleId, v.description('The sale.')) })

export const RegisterPath = v.object({ id: v.pipe(RegisterId, v.description('The register.')) })

export const BidderPath = v.object({
  ...RegisterPath.entries,
  bidderId: v.pipe(UserId, v.description('The user.')),
})

function integer(least: number, most: number, description: string) {
  const rule = rangeRule(least, most)
  const number = v.pipe(v.number(rule), v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule))
  return described(number, description)
}

const rangeRule = (least: number, most: number): string => `must be an integer from ${least} to ${most}`

const PageSize = integer(1, maxPageSize, 'The maximum number of items on the page.')

export const Limit = v.optional(PageSize, defaultPageSize)

/** Like `Limit`, but undefined if the client sends none, for a list that must know. Only documents show the default. */
export const GivenLimit = v.optional(v.pipe(PageSize, v.metadata({ default: defaultPageSize })))

const idsRule = `must be 1 to ${maxPageSize} different auction ids, separated by commas, such as 3,5,8`

/** Converts a text. `read` returns undefined if it breaks the rule. */
export const converted = <Value>(read: (text: string) => Value | undefined, rule: string) =>
  v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value)
    if (value !== undefined) return value
    addIssue({ message: rule })
    return NEVER
  })

/** `which` describes the auctions. */
export const auctionIds = (which: string) =>
  v.pipe(
    v.string(idsRule),
    v.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, idsRule),
    converted(differentIds, idsRule),
    v.description(`${which}: 1 to ${maxPageSize} different ids, separated by commas.`),
  )

function differentIds(text: string): readonly AuctionId[] | undefined {
  const ids = text.split(',', maxPageSize + 1).map(Number)
  if (ids.length > maxPageSize || new Set(ids).size < ids.length) return undefined
  const { success, output } = v.safeParse(v.array(AuctionId), ids)
  return success ? output : undefined
}

/** The sequence of the last event that the client has. */
export const Position = v.optional(
  integer(
    0,
    Number.MAX_SAFE_INTEGER,
    'Only events after this sequence; 0 is the beginning, from which a page starts by default.',
  ),
)

const atRule = `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER} or a UTC date-time such as "2030-01-31T12:00:00Z"`

/** The sequence of an entry, or a time. */
export const At = v.optional(
  v.pipe(
    v.string(atRule),
    v.regex(/^(0|[1-9]\d{0,15}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z)$/, atRule),
    converted((text) => (text.endsWith('Z') ? parseMoment(text) : sequenceIn(text)), atRule),
    v.description(
      'The auction as it was at a time in UTC, or right after an event: the `sequence` of it, or any one up to the last. 0 is the auction as it was created.',
    ),
  ),
)

function sequenceIn(text: string): number | undefined {
  const sequence = Number(text)
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

const positionRule = rangeRule(0, Number.MAX_SAFE_INTEGER)

/** The `id` of the last event that an `EventSource` has. Clients that have none may send it empty. */
const lastEventId = v.pipe(
  v.string(positionRule),
  v.regex(/^(0|[1-9]\d{0,15})?$/, positionRule),
  v.transform((text) => (text === '' ? undefined : Number(text))),
  v.check((id) => id === undefined || Number.isSafeInteger(id), positionRule),
)

/** A header that an operation reads. */
export type Header<Value> = {
  readonly name: 'If-Match' | 'Last-Event-ID'
  readonly parse: (request: FastifyRequest) => Parsed<Value>
}

/** The `id`; undefined for a request of a page, where the header has no effect. */
export const lastEventIdHeader: Header<number | undefined> = {
  name: 'Last-Event-ID',
  parse(request) {
    const id = asksForEvents(request) ? request.headers['last-event-id'] : undefined
    const { success, output } = v.safeParse(lastEventId, id ?? '')
    return success ? accepted(output) : refused(validationFailed({ pointer: '/Last-Event-ID', message: positionRule }))
  },
}

/**
 * The `id` in the query: polyfills of `EventSource` avoid the header, which a server may not allow to other origins.
 */
export const LastEventId = v.optional(
  v.pipe(
    lastEventId,
    v.description(
      'For a polyfill: the `id` of the last event that it has, or empty. It takes precedence over `after`.',
    ),
  ),
)

/** Like `LastEventId`, for streams whose events have no `id`. */
export const UnusedLastEventId = v.optional(
  v.pipe(v.string(), v.description('Ignored, because the events have no `id`. Polyfills may send it.')),
)

/** The position at which a page starts, in the form of its list. */
export const cursor = <Position>(read: (cursor: string) => Position | undefined) =>
  v.optional(
    v.pipe(
      v.string(cursorRule),
      v.description(
        'The `nextCursor` of the previous page. It is opaque. New items do not make a page skip or repeat an item.',
      ),
      converted(read, cursorRule),
    ),
  )

export const cursorRule = 'must be a nextCursor returned by this list'

/** The refusal of a cursor that another list returned. */
export const foreignCursor = refused(validationFailed({ pointer: '/cursor', message: cursorRule }))

/** The entity tags of an `If-Match` (RFC 9110, section 13.1.1), or `*` for any state of an existing resource. */
type IfMatch = '*' | readonly string[]

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const tags = new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`)

/** The value is undefined if the request has none. Node joins repeated headers to a list. */
export const ifMatchHeader: Header<IfMatch | undefined> = {
  name: 'If-Match',
  parse({ headers }) {
    const value = headers['if-match']
    if (value === undefined || value === '*') return accepted(value)
    if (tags.test(value)) return accepted(value.match(new RegExp(tag, 'g')) ?? [])
    return refused(validationFailed({ pointer: '/If-Match', message: 'must be * or ETags of the resource, in quotes' }))
  },
}

export const preconditionRequired: HostProblem & { readonly code: 'precondition-required' } = {
  code: 'precondition-required',
  message: 'The request needs an If-Match header with the ETag of the resource, as the last read returned it.',
}
