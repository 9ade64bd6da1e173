import { expect, onTestFinished, test, vi } from 'vitest'
import { openAuction } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { tokenOf } from '../../support/tokens.ts'
import { followAuction } from './follow-auction.ts'

const environment = { ANONYMOUS_READS: 'on' }

test('the page shows each change until the result, by the clock of the server', async () => {
  const server = await startServer({ environment })
  const auction = await openAuction(server)
  const steps = [
    () => auction.placeBid(),
    async () => {
      server.clock.set('2030-02-08T00:00:00Z')
      await server.service.closeDue()
    },
  ]
  const shown: unknown[] = []
  await followAuction(
    `${server.url}/api/Auctions/${auction.id}`,
    ({ status, leaderId }, aheadMs) => {
      shown.push([status, leaderId])
      expect(Math.abs(Date.now() + aheadMs - server.clock.nowMs())).toBeLessThan(60_000)
    },
    {
      wait: async (ms) => {
        expect(ms).toBe(2_000)
        await steps.shift()?.()
      },
    },
  )
  expect(shown).toEqual([
    ['Active', null],
    ['Active', 2],
    ['Ended', 2],
  ])
})

test('the page waits as a 429 says, and reports other failures', async () => {
  const server = await startServer({ environment: { ...environment, RATE_LIMIT_MAX: '1' } })
  const { id } = await openAuction(server)
  const waits: number[] = []
  const following = followAuction(`${server.url}/api/Auctions/${id}`, () => undefined, {
    wait: async (ms) => {
      waits.push(ms)
      if (waits.length === 2) throw new Error('that is enough')
    },
  })
  await expect(following).rejects.toThrow('that is enough')
  expect(waits[0]).toBe(2_000)
  expect(waits[1]).toBeGreaterThan(2_000)
  const open = await startServer({ environment })
  await expect(followAuction(`${open.url}/api/Auctions/1`, () => undefined)).rejects.toThrow('does not exist')
})

test('the page tries again without a connection, and shows the user their own position', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'user_id' } })
  const auction = await openAuction(server, {}, tokenOf('ann', { user_id: 1 }))
  const bidder = tokenOf('bob', { user_id: 2 })
  await auction.as(bidder).placeBid({ maximumAmount: 150 })
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed'))
  onTestFinished(() => fetched.mockRestore())
  const shown: unknown[] = []
  const waits: number[] = []
  await followAuction(
    `${server.url}/api/Auctions/${auction.id}`,
    ({ youLead, yourMaximum }) => void shown.push([youLead, yourMaximum]),
    {
      headers: { authorization: `Bearer ${bidder}` },
      wait: async (ms) => {
        waits.push(ms)
        if (waits.length === 1) return
        server.clock.set('2030-02-08T00:00:00Z')
        await server.service.closeDue()
      },
    },
  )
  expect(shown).toEqual([
    [true, 150],
    [true, 150],
  ])
  expect(waits).toEqual([2_000, 2_000])
})
