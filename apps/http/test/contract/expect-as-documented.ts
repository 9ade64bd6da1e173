import { expect } from 'vitest'
import { breachesOf, type Exchange } from './breaches.ts'

/** Fails the test if an answer is not one that the OpenAPI document declares. */
export function expectAsDocumented(exchange: Exchange): void {
  const { method, path, status, text } = exchange
  expect(breachesOf(exchange), `${method} ${path} against the OpenAPI document: ${status} ${text}`).toEqual([])
}
