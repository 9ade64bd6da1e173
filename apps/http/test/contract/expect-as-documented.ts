import { expect } from 'vitest'
import { breachesOf, type Exchange } from './breaches.ts'

/** Fails the test if the OpenAPI document does not declare the response. */
export function expectAsDocumented(exchange: Exchange): void {
  const { method, path, status, text } = exchange
  expect(breachesOf(exchange), `${method} ${path} against the OpenAPI document: ${status} ${text}`).toEqual([])
}
