import { expect, test } from 'vitest'
import { fail, settle } from '../../src/ledger/pending-command.ts'
import { refused } from '../../src/result.ts'
import { createPending } from '../support/pending.ts'

test('a command is settled once, and leaves its room to another once', () => {
  const { pending, told } = createPending({ underWay: 5 })
  const result = refused({ code: 'overloaded' } as const)
  settle(pending, result)
  settle(pending, refused({ code: 'owner-cannot-bid' }))
  fail(pending, new Error('too late'))
  expect(told).toEqual([result])
  expect([pending.isSettled, pending.load.commands]).toEqual([true, 4])
})

test('a command fails once, and leaves its room to another once', () => {
  const { pending, told } = createPending({ underWay: 5 })
  const error = new Error('no')
  fail(pending, error)
  fail(pending, new Error('too late'))
  settle(pending, refused({ code: 'overloaded' }))
  expect(told).toEqual([error])
  expect([pending.isSettled, pending.load.commands]).toEqual([true, 4])
})
