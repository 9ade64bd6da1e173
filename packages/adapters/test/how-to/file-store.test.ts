import { storeContract } from '@auction/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { makeSubject, options } from './file-subject.ts'

describe('a store in a file', () => {
  storeContract({ describe, test, expect }, makeSubject, options)
})
