import { describe, expect, test } from 'vitest'
import { document } from '../contract/document.ts'
import { asyncApi } from '../contract/message-check.ts'

// What generators of clients need: one that guesses makes clients that round prices, truncate ids or do not compile.

type Part = Readonly<Record<string, unknown>>

/** All parts of a document with their paths. Examples are data, not schemas. */
function partsOf(whole: unknown, path = ''): readonly (readonly [string, Part])[] {
  if (typeof whole !== 'object' || whole === null) return []
  const members = Object.entries(whole).filter(([name]) => name !== 'example' && name !== 'examples')
  // The cast: an object has its members by name.
  return [[path, whole as Part], ...members.flatMap(([name, part]) => partsOf(part, `${path}/${name}`))]
}

const typesOf = ({ type }: Part): readonly unknown[] => (Array.isArray(type) ? type : [type])

const formats: Readonly<Record<string, string>> = { integer: 'int64', number: 'double' }

/** The reasons why a generator misreads a schema. */
function problemsOf(schema: Part, named: Part): readonly string[] {
  const problems = typesOf(schema).flatMap((type) =>
    typeof type === 'string' && type in formats && schema['format'] !== formats[type] ? [`${type} without format`] : [],
  )
  const isText = schema['type'] === 'string'
  if (schema['enum'] !== undefined && !isText) problems.push('enumeration of others than strings')
  if ('const' in schema && !(isText && typeof schema['const'] === 'string')) problems.push('constant of another type')
  const choices = [schema['anyOf'] ?? [], schema['oneOf'] ?? []].flat().map(Object)
  const others = choices.filter((choice) => choice.type !== 'null')
  const isMarked = others.every(({ $ref = '' }) => Object(named[$ref.split('/').at(-1)])['x-nullable'] === true)
  return others.length < choices.length && !isMarked ? [...problems, 'null that is not marked'] : problems
}

describe.each([
  { name: 'OpenAPI', parts: partsOf(document), named: document.components.schemas },
  { name: 'AsyncAPI', parts: partsOf(asyncApi), named: asyncApi.components.schemas },
])('the $name document', ({ parts, named: schemas }) => {
  test('has a format for each number, constants of strings only, and marks what may be null', () => {
    const problems = parts.flatMap(([path, part]) => problemsOf(part, schemas).map((problem) => `${path}: ${problem}`))
    expect(problems).toEqual([])
    const found = new Set(parts.map(([, { format }]) => format))
    expect([...found]).toEqual(expect.arrayContaining(Object.values(formats)))
  })

  test('has a type for each amount and each id', () => {
    const properties = parts.flatMap(([, part]) => Object.entries(Object(part['properties'])))
    // The casts: properties are schemas. One that nothing fits refuses the property.
    const named = (pattern: RegExp) =>
      properties.filter(
        ([name, schema]) => pattern.test(name) && !(schema as Part)['readOnly'] && !(schema as Part)['not'],
      )
    const types = (pattern: RegExp) => new Set(named(pattern).map(([, schema]) => typesOf(schema as Part)[0]))
    expect(types(/(Price|NextBid|^amount|^maximumAmount|^increment)$/)).toEqual(new Set(['number']))
    expect(types(/^(auction|bid|bidder|owner|winner|buyer|leader|product)Id$/)).toEqual(new Set(['integer']))
  })
})

test('the own pseudonym of a caller is declared as negative', () => {
  const parts = partsOf(document).filter(([path, part]) => path.endsWith('/yourPseudonym') && part['readOnly'] !== true)
  expect(new Set(parts.map(([, { maximum }]) => maximum))).toEqual(new Set([-1]))
})
