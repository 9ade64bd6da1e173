import type { JsonSchema } from '../../apps/http/src/api/openapi/openapi.ts'
import { jsonSchemaOf } from '../../apps/http/src/api/openapi/schemas.ts'
import { MomentText } from '../../packages/domain/src/values/moment.ts'

type Schema = JsonSchema | boolean | undefined

const momentPattern = jsonSchemaOf(MomentText).pattern

/** Describes a schema in Markdown. Named schemas are links; api.md defines `id`, `pseudonym`, `amount` and `time`. */
export function typeInWords(schema: Schema): string {
  if (typeof schema !== 'object') return 'anything'
  if (schema.$ref !== undefined) return linkTo(schema.$ref)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return choices.map(typeInWords).join(' or ')
  if (schema.minimum !== undefined && schema.minimum === schema.maximum) return `\`${schema.minimum}\``
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  return [schema.type ?? 'anything']
    .flat()
    .map((type) => ofType(type, schema))
    .join(' or ')
}

function ofType(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'string':
      return schema.pattern === momentPattern ? 'time' : `string${textBounds(schema)}`
    case 'integer':
      if (schema.minimum === -Number.MAX_SAFE_INTEGER && schema.maximum === -1) return 'pseudonym'
      if (schema.maximum !== Number.MAX_SAFE_INTEGER) return `integer${numberBounds(schema)}`
      if (schema.minimum === 0) return 'integer of at least 0'
      return schema.minimum === 1 ? 'id' : 'id or pseudonym'
    case 'number':
      return schema.exclusiveMaximum === 1e15 ? `amount${amountBound(schema)}` : `number${numberBounds(schema)}`
    case 'array':
      return `array of ${[schema.items].flat().map(typeInWords).join(', ')}`
    default:
      return type
  }
}

function textBounds({ minLength, maxLength, pattern }: JsonSchema): string {
  const length =
    maxLength === undefined
      ? ''
      : ` of ${minLength === undefined ? 'up' : minLength} to ${maxLength.toLocaleString('en')} characters`
  return pattern === undefined ? length : `${length}, matching \`${pattern}\``
}

function numberBounds({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return ''
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

/** An amount may be 0 unless it has another bound. */
const amountBound = ({ exclusiveMinimum }: JsonSchema): string =>
  exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`

function linkTo(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return `[${name}](#${name.toLowerCase()})`
}
