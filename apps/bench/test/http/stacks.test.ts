import { describe, expect, test } from 'vitest'
import { withProcesses } from '../../src/http/running.ts'
import { answerToABid, startService, startStack } from '../../src/http/service.ts'
import { bareStack, expressStack, idiomaticStack } from '../../src/http/stacks.ts'

describe('what the service is compared with', () => {
  test('bare Fastify answers the same bytes to a bid', () =>
    withProcesses(async (started) => {
      const service = started(await startService({}))
      const ours = await answerToABid(service)
      const bare = started(await startStack(bareStack, { ANSWER: JSON.stringify(ours) }))
      expect(await answerToABid(bare)).toEqual(ours)
    }))

  test.each([
    { name: 'idiomatic', stack: idiomaticStack },
    { name: 'express', stack: expressStack },
  ])('the $name stack answers a bid with the same members', ({ stack }) =>
    withProcesses(async (started) => {
      const server = started(await startStack(stack, {}))
      const { headers, body } = await answerToABid(server)
      expect(headers).toMatchObject({ location: '/api/Bids/1', 'content-type': 'application/json; charset=utf-8' })
      expect(body).toEqual({
        success: true,
        message: 'Bid 1 is placed.',
        data: { id: 1, auctionId: 1, bidderId: 2, amount: 1.99, timestamp: expect.stringMatching(/Z$/) },
      })
    }),
  )
})
