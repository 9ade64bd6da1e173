import { expect, test } from 'vitest'
import { createFormat } from '../page/format.js'
import { managing } from '../page/texts.managing.js'
import { checksOf } from '../page/views/checks.js'

const format = createFormat(managing, 'en-US')
const values = {
  currency: 'USD',
  startingPrice: 100,
  reservePrice: 200,
  buyNowPrice: 300,
  startTime: '2030-01-01T12:00:00Z',
  endTime: '2030-01-01T13:00:00Z',
  windowSeconds: 60,
  extensionSeconds: 60,
  latestEndTime: '2030-01-01T14:00:00Z',
}
const now = Date.parse('2030-01-01T12:30:00Z')

test.each<[object, object]>([
  [{}, {}],
  [{ reservePrice: null, buyNowPrice: null, latestEndTime: null }, {}],
  [{ reservePrice: 99.99 }, { reservePrice: 'Enter at least $100.00.' }],
  [{ buyNowPrice: 200 }, { buyNowPrice: 'Enter more than $200.00.' }],
  [{ reservePrice: null, buyNowPrice: 100 }, { buyNowPrice: 'Enter more than $100.00.' }],
  [{ endTime: '2030-01-01T12:30:00Z' }, { endTime: 'The end must be in the future.' }],
  [{ startTime: '2030-01-01T13:00:00Z' }, { endTime: 'The end must be after the start.' }],
  [{ extensionSeconds: null }, { extensionSeconds: 'Enter a value.' }],
  [{ latestEndTime: '2030-01-01T13:00:00Z' }, { latestEndTime: 'This must be after the end.' }],
  [{ latestEndTime: '2030-01-08T13:00:01Z' }, { latestEndTime: /one week/ }],
])('the form finds before it is sent what is wrong with %j', (fields, errors) => {
  const found = checksOf(format, { ...values, ...fields }, now)
  expect(Object.keys(found)).toEqual(Object.keys(errors))
  for (const [name, text] of Object.entries(errors)) expect(found[name]).toMatch(text)
})

test.each([
  ['100.5', 'USD', undefined],
  ['100.505', 'USD', 'USD has 2 decimals.'],
  ['100.5', 'JPY', 'JPY has no decimals.'],
  ['x', 'EUR', 'Enter an amount in EUR, such as 100.00.'],
])('an error states why %s is not an amount in %s', (typed, currency, text) => {
  expect(format.amountProblem(typed, currency)).toBe(text)
})
