import { raceStore } from '@auction/testing/race-store'
import { expect, test } from 'vitest'
import { testFile } from './support.ts'

test.each([2, 3])('a race of %i services on one file, with repairs by staff, breaks no promise', async (services) => {
  const { open } = await testFile()
  const { violations, attempts } = await raceStore(() => open(), { services, kills: 1, bidsPerRound: 50 })
  expect(violations).toEqual([])
  const accepted = attempts.filter(({ response }) => response.outcome === 'accepted').map(({ type }) => type)
  expect(accepted).toContain('withdraw-bidder')
})
