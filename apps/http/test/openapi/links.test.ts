import { expect, test } from 'vitest'
import type { LinkObject } from '../../src/api/openapi/openapi.ts'
import { documented, resolved } from '../contract/document.ts'

const created = documented.flatMap(({ operation }) => {
  const response = operation.responses['201']
  return response === undefined ? [] : [{ name: operation.operationId, ...resolved(response, 'responses') }]
})

/** The value of a runtime expression of OpenAPI for a response. */
function valueIn(body: object, expression: string): unknown {
  const [source, pointer = ''] = expression.split('#')
  expect(source).toBe('$response.body')
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => Object(value)[name], body)
}

const parametersOf = ({ operationId, parameters }: LinkObject) =>
  Object.entries(parameters ?? {}).map(([name, expression]) => {
    const target = documented.find(({ operation }) => operation.operationId === operationId)?.operation
    const parameter = target?.parameters.map((each) => resolved(each, 'parameters')).find((each) => each.name === name)
    return { schema: parameter?.schema, expression }
  })

test.each(created)(
  'the expressions of the links of $name return the ids of each example',
  ({ links = {}, content }) => {
    const examples = Object.values(content?.['application/json']?.examples ?? {})
    expect(examples.length).toBeGreaterThan(0)
    for (const { value } of examples) {
      for (const link of Object.values(links)) {
        for (const { schema, expression } of parametersOf(link)) {
          expect(schema).toMatchObject({ type: 'integer', minimum: 1 })
          expect(valueIn(value, expression)).toBeGreaterThan(0)
        }
        for (const expression of Object.values(link.requestBody ?? {}))
          expect(valueIn(value, expression)).toBeGreaterThan(0)
      }
    }
  },
)
