import { describe, expect, test } from 'vitest'
import { fail, settle } from '../../src/ledger/pending-command.ts'
import { refused } from '../../src/values/result.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createCommands } from '../support/pending.ts'
import { openTime } from '../support/service.ts'

function createWatchedCommands() {
  const clock = createSteppedClock(openTime)
  return { clock, ...createCommands(clock) }
}

const overloaded = refused({ code: 'overloaded' } as const)

test('a command is settled once, and frees its capacity once', () => {
  const { arrive, inFlight } = createWatchedCommands()
  arrive()
  const { pending, answers } = arrive()
  expect(inFlight.commands).toBe(2)
  settle(pending, overloaded)
  settle(pending, refused({ code: 'owner-cannot-bid' }))
  fail(pending, new Error('too late'))
  expect(answers).toEqual([overloaded])
  expect([pending.isSettled, inFlight.commands]).toEqual([true, 1])
})

test('a command fails once, and frees its capacity once', () => {
  const { arrive, inFlight } = createWatchedCommands()
  const { pending, answers } = arrive()
  const error = new Error('no')
  fail(pending, error)
  fail(pending, new Error('too late'))
  settle(pending, overloaded)
  expect(answers).toEqual([error])
  expect([pending.isSettled, inFlight.commands]).toEqual([true, 0])
})

describe('a deadline', () => {
  const late = (outcome: string) => ({
    code: 'store-unavailable',
    message: 'the store did not finish within 1000 ms',
    outcome,
  })

  test('ends a command before anything is sent, and reports that nothing has changed', async () => {
    const { clock, arrive } = createWatchedCommands()
    const { answers } = arrive()
    await clock.pass(899)
    expect(answers).toEqual([])
    await clock.pass(1)
    expect(answers).toMatchObject([late('nothing-changed')])
  })

  test('aborts a write when its last caller has timed out, and reports that it may be stored', async () => {
    const { clock, arrive } = createWatchedCommands()
    const write = { awaited: 2, aborted: false }
    const first = arrive(write)
    await clock.pass(500)
    const second = arrive(write)
    await clock.pass(500)
    expect(first.answers).toMatchObject([late('unknown')])
    expect(write).toMatchObject({ awaited: 1, aborted: false })
    await clock.pass(500)
    expect(second.answers).toMatchObject([late('unknown')])
    expect(write).toMatchObject({ awaited: 0, aborted: true })
  })

  test('does not affect a settled command and its write', async () => {
    const { clock, arrive } = createWatchedCommands()
    const write = { awaited: 1, aborted: false }
    const { pending, answers } = arrive(write)
    settle(pending, overloaded)
    await clock.pass(5_000)
    expect(answers).toEqual([overloaded])
    expect(write.awaited).toBe(1)
  })
})
