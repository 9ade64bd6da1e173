import { expect, test } from 'vitest'
import type { LinkObject } from '../../src/api/openapi/openapi.ts'
import { documented, resolved } from '../contract/document.ts'

const linking = documented.flatMap(({ operation }) =>
  ['200', '201'].flatMap((status) => {
    const response = operation.responses[status]
    const { links = {}, content } = response === undefined ? {} : resolved(response, 'responses')
    return Object.keys(links).length === 0 ? [] : [{ name: operation.operationId, links, content }]
  }),
)

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
  Object.entries(parameters).map(([name, expression]) => {
    const target = documented.find(({ operation }) => operation.operationId === operationId)?.operation
    const parameter = target?.parameters.map((each) => resolved(each, 'parameters')).find((each) => each.name === name)
    return { schema: parameter?.schema, expression }
  })

test.each(linking)(
  'the expressions of the links of $name return the ids of each example',
  ({ links: { nextPage: _, ...links }, content }) => {
    const examples = Object.values(content?.['application/json']?.examples ?? {})
    expect(examples.length).toBeGreaterThan(0)
    for (const { value } of examples) {
      for (const link of Object.values(links)) {
        for (const { schema, expression } of parametersOf(link)) {
          expect(schema).toMatchObject({ type: 'integer', minimum: 1 })
          expect(valueIn(value, expression)).toBeGreaterThan(0)
        }
      }
    }
  },
)

test('auctions, bids and pages have links', () => {
  const names = linking.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['createAuction', 'readAuction', 'correctAuction', 'placeBid', 'readBid']),
  )
  expect(names.some((name) => name.startsWith('readReadiness'))).toBe(false)
})

const paged = linking.filter(({ links }) => 'nextPage' in links)

test.each(paged)('the link of $name leads to the next page, with the same parameters', ({ name, links, content }) => {
  const { operationId, parameters } = links['nextPage'] ?? expect.fail()
  const operation = documented.find((each) => each.operation.operationId === name)?.operation
  const declared = operation?.parameters.map((each) => resolved(each, 'parameters'))
  const taken = declared?.filter(({ in: location }) => location !== 'header').map((parameter) => parameter.name)
  expect([operationId, Object.keys(parameters)]).toEqual([name, taken])
  const fromResponse = Object.entries(parameters).filter(([, expression]) => expression.startsWith('$response'))
  expect(fromResponse).toHaveLength(1)
  for (const [parameter, expression] of fromResponse) {
    expect(taken).toContain(parameter)
    for (const { value } of Object.values(content?.['application/json']?.examples ?? {})) {
      expect(valueIn(value, expression)).not.toBe(undefined)
    }
  }
  const others = Object.entries(parameters).filter(([, expression]) => !expression.startsWith('$response'))
  for (const [parameter, expression] of others)
    expect(expression).toMatch(new RegExp(`^\\$request\\.(path|query)\\.${parameter}$`))
})

test('lists have next pages', () => {
  expect(paged.map(({ name }) => name).toSorted()).toEqual([
    'followSale',
    'listAuctions',
    'listBidders',
    'listBids',
    'listBidsOfBidder',
    'listEvents',
    'listLots',
    'listRegisters',
    'listSales',
  ])
})
