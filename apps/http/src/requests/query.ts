import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction/status'
import { maxPageSize } from '@auction/domain/page'
import { accepted, refused } from '@auction/domain/result'
import { type Fault, type Parsed, pointerTo, withUnknownNames } from '@auction/domain/validation'
import type * as v from 'valibot'
import { readId } from './path-id.ts'

/** How one query parameter is read: `read` answers undefined for a text that breaks the rule. */
export type Parameter<Value> = { readonly read: (text: string) => Value | undefined; readonly rule: string }
type Parameters = Readonly<Record<string, Parameter<unknown>>>
type Values<P extends Parameters> = { readonly [Name in keyof P]?: NonNullable<ReturnType<P[Name]['read']>> }

/** Reads a query as strictly as a body: what is unknown, repeated or wrong is a fault, with a pointer to its name. */
export function parseQuery<P extends Parameters>(query: unknown, parameters: P): Parsed<Values<P>> {
  // Fastify's parser answers an object of texts, with an array for a name that is repeated.
  const given = query as Readonly<Record<string, string | readonly string[]>>
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!Object.hasOwn(given, name)) continue
    const text = given[name]
    const value = typeof text === 'string' ? parameter.read(text) : undefined
    if (value !== undefined) values[name] = value
    else
      faults.push({
        pointer: pointerTo([name]),
        message: typeof text === 'string' ? parameter.rule : 'is given more than once',
      })
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(parameters, name))
  // Each value is what the parameter of its name has read.
  if (faults.length === 0 && unknown.length === 0) return accepted(values as Values<P>)
  return refused(withUnknownNames(faults, unknown, `is not a known query parameter; ${knownNames(parameters)}`))
}

function knownNames(parameters: Parameters): string {
  const names = Object.keys(parameters)
  return names.length === 0 ? 'there are none here' : `there are ${names.join(', ')}`
}

export const limitParameter: Parameter<number> = {
  read: (text) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= maxPageSize ? Number(text) : undefined),
  rule: `must be an integer from 1 to ${maxPageSize}`,
}

export const statusParameter: Parameter<AuctionStatus> = {
  read: (text) => auctionStatuses.find((status) => status === text),
  rule: `must be one of ${auctionStatuses.join(', ')}`,
}

export const idParameter = <Id>(schema: v.GenericSchema<number, Id>): Parameter<Id> => ({
  read: (text) => {
    const id = readId(schema, text)
    return id.success ? id.output : undefined
  },
  rule: `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
})

export const cursorParameter = <Place>(read: (cursor: string) => Place | undefined): Parameter<Place> => ({
  read,
  rule: 'must be a nextCursor that this list has answered',
})
