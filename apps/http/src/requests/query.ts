import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction'
import { maxPageSize } from '@auction/domain/page'
import { accepted, refused } from '@auction/domain/result'
import { type Fault, type Parsed, pointerTo, validationFailed } from '@auction/domain/validation'

/** How one query parameter is read: `read` answers undefined for a text that breaks the rule. */
export type Parameter<Value> = { readonly read: (text: string) => Value | undefined; readonly rule: string }
type Parameters = Readonly<Record<string, Parameter<unknown>>>
type Values<P extends Parameters> = { readonly [Name in keyof P]?: NonNullable<ReturnType<P[Name]['read']>> }

/** Reads a query as strictly as a body: what is unknown, repeated or wrong is a fault, with a pointer to its name. */
export function parseQuery<P extends Parameters>(query: unknown, parameters: P): Parsed<Values<P>> {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  // Fastify's parser answers an object of texts, with an array for a name that is repeated.
  for (const [name, text] of Object.entries(query as Readonly<Record<string, string | readonly string[]>>)) {
    const fault = (message: string) => faults.push({ pointer: pointerTo([name]), message })
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter === undefined) fault(`is not a known query parameter; ${knownNames(parameters)}`)
    else if (typeof text !== 'string') fault('is given more than once')
    else {
      const value = parameter.read(text)
      if (value === undefined) fault(parameter.rule)
      else values[name] = value
    }
  }
  // Each value is what the parameter of its name has read.
  return faults.length > 0 ? refused(validationFailed(...faults)) : accepted(values as Values<P>)
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

export const cursorParameter = <Place>(read: (cursor: string) => Place | undefined): Parameter<Place> => ({
  read,
  rule: 'must be a nextCursor that this list has answered',
})
