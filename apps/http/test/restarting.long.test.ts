import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startBalancer } from './support/balancer.ts'
import { clientOf } from './support/client.ts'
import { startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

const clients = 16

/** The pause between requests of a client. It leaves the processor to other tests. */
const pauseMs = 100

/** Clients that bid and read. Collects responses that must not occur. */
function startLoad(url: string, auctionId: number) {
  const anna = clientOf({ url })
  const broken: string[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let amount = 100
  let accepted = 0
  let isStopping = false

  async function bidAndRead(): Promise<void> {
    while (!isStopping) {
      amount += 5
      const answers = [
        await anna.placeBid({ auctionId, amount }).catch(String),
        await anna.get(`/api/Auctions/${auctionId}`).catch(String),
      ]
      for (const answer of answers) {
        if (typeof answer === 'string') broken.push(answer)
        else if (answer.status === 201) accepted += 1
        // A newer bid may arrive first.
        else if (answer.status !== 200 && answer.body?.code !== 'bid-too-low') broken.push(answer.text)
      }
      for (const { resolve } of waiting.filter(({ count }) => accepted >= count)) resolve()
      await setTimeout(pauseMs)
    }
  }

  const working = Promise.all(Array.from({ length: clients }, bidAndRead))
  return {
    /** Waits until this many more bids are accepted. */
    accepted(more: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count: accepted + more, resolve })
      return promise
    },
    async stop() {
      isStopping = true
      await working
      return { broken, accepted }
    },
  }
}

test('no client receives a failure while two servers restart, one after the other, behind a load balancer', async () => {
  const settings = {
    SQLITE_FILE: join(temporaryFolder(), 'auctions.sqlite'),
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000',
    SHUTDOWN_SECONDS: '4',
  }
  const start = async (PORT = '0') => startServerProcess({ ...settings, PORT })
  const servers = [await start(), await start()]
  const balancer = await startBalancer(servers.map(({ url }) => url))
  const created = await clientOf(balancer).createAuction({ startTime: '2020-01-01T00:00:00Z' })
  const load = startLoad(balancer.url, created.body.data.id)

  await load.accepted(50)
  const ended: (number | null)[] = []
  for (const server of servers) {
    server.child.kill('SIGTERM')
    ended.push(await server.exited())
    await load.accepted(20)
    const started = await start(new URL(server.url).port)
    // It must serve before the other one stops.
    await started.until(/"method":"POST".*"status":201/)
  }
  const { broken, accepted } = await load.stop()
  expect(broken).toEqual([])
  expect(ended).toEqual([0, 0])
  expect(accepted).toBeGreaterThan(90)
})
