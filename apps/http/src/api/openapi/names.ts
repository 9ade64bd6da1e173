import type { Operation } from '../operations/operation.ts'
import type { Reference } from './openapi.ts'

const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

// The names of an operation's schemas.
export const requestName = ({ name }: Operation): string => `${capitalized(name)}Request`
export const successName = ({ name }: Operation): string => `${capitalized(name)}Success`

type Kind = 'schemas' | 'parameters' | 'headers' | 'responses'

/** A reference to a component of the document. */
export const refTo = (kind: Kind, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })
