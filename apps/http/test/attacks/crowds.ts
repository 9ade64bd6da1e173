import { validBodies } from '../../src/api/openapi/examples.ts'
import { requestName } from '../../src/api/openapi/names.ts'
import type { JsonSchema } from '../../src/api/openapi/openapi.ts'
import { requestSchemas } from '../../src/api/openapi/requests.ts'
import type { Operation } from '../../src/api/operations/operation.ts'
import { bodyLimitBytes } from '../../src/api/requests/json-body.ts'

// Bodies with as many parts as fit, made from the schemas of requests, so that a new schema has its own.

/** Joins as many parts as fit, separated by commas. */
export function filled(open: string, part: (index: number) => string, close: string, maxBytes: number): string {
  let body = open + part(0)
  for (let index = 1; ; index++) {
    const next = `,${part(index)}`
    if (Buffer.byteLength(body) + next.length * 3 + close.length > maxBytes) return body + close
    body += next
  }
}

export function nested(open: string, inner: string, close: string, maxBytes: number): string {
  const levels = Math.floor((maxBytes - inner.length) / (open.length + close.length))
  return open.repeat(levels) + inner + close.repeat(levels)
}

type Schema = JsonSchema | boolean | undefined

/** An array or an object of a schema, and the body that has a text instead. */
type Place = {
  readonly pointer: string
  readonly schema: JsonSchema
  readonly bodyWith: (text: string) => string
}

type Crowd = {
  readonly what: string
  readonly body: string
  /** Where the only error is, if parts are not judged when there are too many. Other errors are possible without it. */
  readonly refusedAt?: string
}

/** A valid value, and a different one for each index if possible. */
function sample(schema: Schema, index = 0): unknown {
  if (typeof schema !== 'object') return null
  const { type, pattern, items, properties = {} } = schema
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sample(property, index)]))
    case 'array':
      return [sample(items as Schema)] // No schema has a list of items.
    case 'boolean':
      return true
    case 'string':
      return pattern?.includes('T') === true ? '2030-02-01T12:00:00Z' : `a${index}`
    default:
      return index + 1
  }
}

/** The place of a schema and those within, and those of its alternatives. `value` is a valid value of it. */
function placesIn(schema: Schema, value: unknown, pointer: string, bodyWith: Place['bodyWith']): readonly Place[] {
  if (typeof schema !== 'object') return []
  const { items, properties = {}, additionalProperties, anyOf = [], oneOf = [] } = schema
  const inMembers = Object.entries(properties).flatMap(([name, property]) => {
    const others = Object.entries(Object(value)).filter(([other]) => other !== name)
    const before = others.map((member) => `${JSON.stringify(member[0])}:${JSON.stringify(member[1])},`).join('')
    return placesIn(property, sample(property), `${pointer}/${name}`, (text) =>
      bodyWith(`{${before}"${name}":${text}}`),
    )
  })
  const item = items as Schema // No schema has a list of items.
  return [
    ...(items === undefined && additionalProperties === undefined ? [] : [{ pointer, schema, bodyWith }]),
    ...inMembers,
    ...placesIn(item, sample(item), `${pointer}/0`, (text) => bodyWith(`[${text}]`)),
    ...[...anyOf, ...oneOf].flatMap((choice) => placesIn(choice, sample(choice), pointer, bodyWith)),
  ]
}

const junk = ['0', '1e1', '""', 'null', '{}', '[]', '{"a":1}']

type Part = readonly [what: string, part: (index: number) => string]

function itemsOf(item: Schema): readonly Part[] {
  const valid = (index: number) => JSON.stringify(sample(item, index))
  return [
    ['valid items', valid],
    ['items with an unknown member', (index) => valid(index).replace(/}$/, ',"a":1}')],
    ['items with a repeated member', () => '{"a":1,"a":1}'],
    ...junk.map((value): Part => [`items ${value}`, () => value]),
  ]
}

function membersOf({ properties = {}, additionalProperties }: JsonSchema): readonly Part[] {
  const [name = 'k'] = Object.keys(properties)
  return [
    ['valid members', (index) => `"k${index}":${JSON.stringify(sample(additionalProperties, index))}`],
    ['members with wrong names', (index) => `"!${index}":""`],
    ['a repeated member', () => `"${name}":1`],
    ...junk.map((value): Part => [`members ${value}`, (index) => `"k${index}":${value}`]),
  ]
}

/** Bodies of an operation in which one array or object is full, by the pointers of these. */
export function crowdsOf(operation: Operation): readonly (readonly [pointer: string, crowds: readonly Crowd[]])[] {
  const { body } = operation.schemas
  if (body === undefined) return []
  const [example] = Object.values(validBodies(operation))
  const root = requestSchemas([operation])[requestName(operation)]
  return placesIn(root, example?.value, '', (text) => text).map(({ pointer, schema, bodyWith }) => {
    const { items, additionalProperties } = schema
    const [open, close, parts] =
      items === undefined ? ['{', '}', membersOf(schema)] : ['[', ']', itemsOf(items as Schema)]
    // Costs are compared with those of parsing, so that a part of what lots may have is enough.
    const maxBytes = Math.min(body.maxBytes, bodyLimitBytes) - bodyWith('').length
    const isList = items !== undefined || typeof additionalProperties === 'object'
    const most = schema.maxItems ?? schema.maxProperties ?? 0
    const isRefusedAsOne = (part: Part[1]) => isList && maxBytes / (part(most).length + 1) > most + 1
    const full = parts.map(([what, part]) => ({
      what,
      body: bodyWith(filled(open, part, close, maxBytes)),
      ...(isRefusedAsOne(part) && !what.includes('repeated') && { refusedAt: pointer }),
    }))
    const [name = 'k'] = Object.keys(schema.properties ?? {})
    const deep = { what: 'nested arrays', body: bodyWith(nested('[', '', ']', maxBytes)) }
    const deepObjects = { what: 'nested objects', body: bodyWith(nested(`{"${name}":`, '0', '}', maxBytes)) }
    return [pointer, [...full, deep, deepObjects]]
  })
}
