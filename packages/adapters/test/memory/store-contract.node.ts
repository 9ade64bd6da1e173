import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Expectation } from '@auction/testing/runner'
import { storeContract } from '@auction/testing/store-contract'
import { makeSubject, options } from './subject.ts'

const expect = (actual: unknown): Expectation => ({
  toBe: (expected) => strictEqual(actual, expected),
  toEqual: (expected) => deepStrictEqual(actual, expected),
  toStrictEqual: (expected) => deepStrictEqual(actual, expected),
})

describe('a store in memory', () => {
  storeContract({ describe, test, expect }, makeSubject, options)
})
