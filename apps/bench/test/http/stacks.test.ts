import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { withProcesses } from '../../src/http/running.ts'
import { answerToABid, startService, startStack } from '../../src/http/service.ts'

const stack = (name: string) => fileURLToPath(new URL(`../../src/http/stacks/${name}.ts`, import.meta.url))

describe('what the service is compared with', () => {
  test('bare Fastify answers the same bytes to a bid', () =>
    withProcesses(async (started) => {
      const service = started(await startService({}))
      const ours = await answerToABid(service)
      const bare = started(await startStack(stack('bare'), { ANSWER: JSON.stringify(ours) }))
      expect(await answerToABid(bare)).toEqual(ours)
    }))

  test.each(['idiomatic', 'express'])('the %s stack answers a bid with the same members', (name) =>
    withProcesses(async (started) => {
      const server = started(await startStack(stack(name), {}))
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
