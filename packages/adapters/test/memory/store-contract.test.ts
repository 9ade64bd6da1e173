import { storeContract } from '@auction/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { makeSubject, options } from './subject.ts'

describe('a store in memory', () => {
  storeContract({ describe, test, expect }, makeSubject, options)
})
