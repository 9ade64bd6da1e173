import type { Operation } from '../operations/operation.ts'
import type { Reference } from './openapi.ts'

/**
 * The name of a component for the name of an operation, the code of a problem or the type of a message: `BidTooLow` for
 * `bid-too-low`.
 */
export const capitalized = (name: string): string =>
  name.replaceAll(/(?:^|[-.])(\w)/g, (_, letter: string) => letter.toUpperCase())

export const requestName = ({ route }: Operation): string => `${capitalized(route.name)}Request`
export const successName = ({ route }: Operation): string => `${capitalized(route.name)}Success`

type Kind = 'schemas' | 'parameters' | 'headers' | 'responses'

export const refTo = (kind: Kind, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })
