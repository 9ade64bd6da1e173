import { connectMongoStore } from '@auction/adapters/mongodb'
import { parseNewBid } from '@auction/domain/bid'
import { AuctionId, BidId, UserId } from '@auction/domain/ids'
import { parseMoment } from '@auction/domain/moment'
import { CurrencyCode, toMinor } from '@auction/domain/money'
import { type BidAnswer, type BidAttempt, checkHistory } from '@auction/domain/testing/check-history'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { type Answer, type Client, clientOf, newAuction, problem } from './support/client.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret, tokenOf } from './support/tokens.ts'

const environmentFor = (uri: string) => ({ MONGODB_URI: uri, JWT_SECRET: secret, RATE_LIMIT_MAX: '1000000' })

// Processes go by the clock of the machine.
const hourMs = 60 * 60 * 1000
const running = {
  startTime: new Date(Date.now() - hourMs).toISOString(),
  endTime: new Date(Date.now() + hourMs).toISOString(),
}

const data = async (client: Client, path: string) => (await client.get(path)).body.data

describeMongo('the service', (database) => {
  test('does what it does in memory', async () => {
    const server = await startServerProcess(environmentFor(database()))
    expect(server.stdout()).toMatch(/"store":"MongoDB at /)
    const anna = clientOf(server)
    const created = await anna.createAuction(running, { 'idempotency-key': 'one' })
    expect(created).toMatchObject({ status: 201, body: { data: { ...newAuction, ...running, status: 'Pending' } } })
    expect((await anna.createAuction(running, { 'idempotency-key': 'one' })).text).toBe(created.text)
    const auctionId = created.body.data.id
    const placed = await anna.placeBid({ auctionId, amount: 120.5 })
    expect(placed.status).toBe(201)
    expect(await anna.placeBid({ auctionId, amount: 125.49 })).toMatchObject(
      problem(409, 'bid-too-low', { currentPrice: 120.5, minimumNextBid: 125.5, currency: 'USD' }),
    )
    expect(await data(anna, `/api/Auctions/${auctionId}`)).toMatchObject({
      status: 'Active',
      currentPrice: 120.5,
      minimumNextBid: 125.5,
      bidCount: 1,
    })
    expect((await data(anna, `/api/Auctions/${auctionId}/Bids`)).items).toEqual([placed.body.data])
    expect(await data(anna, placed.headers.get('location') ?? '')).toEqual(placed.body.data)
    expect((await data(anna, '/api/Auctions?status=Active&limit=1')).items).toMatchObject([{ id: auctionId }])
    expect((await anna.placeBid({ auctionId: auctionId + 1_000_000 })).status).toBe(404)
  })

  test('loses nothing when its process is killed and started again', async () => {
    const first = await startServerProcess(environmentFor(database()))
    const before = clientOf(first)
    const created = await before.createAuction(running, { 'idempotency-key': 'kept' })
    const auctionId = created.body.data.id
    const placed = await before.placeBid({ auctionId, amount: 150 }, { 'idempotency-key': 'kept' })
    first.child.kill('SIGKILL')
    await first.exited()

    const second = clientOf(await startServerProcess(environmentFor(database())))
    expect((await second.createAuction(running, { 'idempotency-key': 'kept' })).text).toBe(created.text)
    expect((await second.placeBid({ auctionId, amount: 150 }, { 'idempotency-key': 'kept' })).text).toBe(placed.text)
    expect((await data(second, `/api/Auctions/${auctionId}/Bids`)).items).toEqual([placed.body.data])
    expect(await second.placeBid({ auctionId, amount: 150 })).toMatchObject(problem(409, 'bid-too-low'))
    const next = await second.createAuction(running)
    expect(next.body.data.id).not.toBe(auctionId)
  })

  test('holds its promises to 64 bidders on one auction, through two processes', async () => {
    const servers = await Promise.all([1, 2].map(() => startServerProcess(environmentFor(database()))))
    const clients = servers.map((server) => clientOf(server, tokenOf('bidders')))
    const [client] = clients
    if (client === undefined) throw new Error('there are two')
    const auctionId = v.parse(AuctionId, (await client.createAuction(running)).body.data.id)

    const attempts = (
      await Promise.all(
        Array.from({ length: 64 }, async (_, bidder): Promise<readonly BidAttempt[]> => {
          const own = clients[bidder % clients.length] ?? client
          const made: BidAttempt[] = []
          for (let round = 0; round < 8; round++)
            made.push(await bid(own, auctionId, bidder + 2, nextAmount(made, round)))
          return made
        }),
      )
    ).flat()

    const store = await connectMongoStore(database())
    const auction = await store.auctions.find(auctionId)
    const ledger = await store.ledger.page(auctionId, { limit: 10_000 })
    await store.close()
    if (auction === undefined) throw new Error('the auction is stored')
    expect(checkHistory({ auctions: [auction], attempts, ledger })).toEqual([])
    const outcomes = Map.groupBy(attempts, ({ answer }) => answer.outcome)
    expect(outcomes.get('accepted')?.length).toBe(ledger.length)
    expect(ledger.length).toBeGreaterThan(8)
    expect(outcomes.get('unknown')).toBeUndefined()
    for (const { answer } of outcomes.get('refused') ?? []) expect(answer).toMatchObject({ code: 'bid-too-low' })
  })
})

const usd = v.parse(CurrencyCode, 'USD')
const minor = (amount: number) => {
  const amountMinor = toMinor(amount, usd)
  if (amountMinor === undefined) throw new RangeError(`${amount} is no amount in USD`)
  return amountMinor
}

/** The starting price at first, then what the last refusal asked for, then some more. */
function nextAmount(made: readonly BidAttempt[], round: number): number {
  const last = made.at(-1)?.answer
  if (last?.outcome === 'refused' && last.minimumNextBidMinor !== undefined) return last.minimumNextBidMinor / 100
  return last?.outcome === 'accepted' ? last.bid.amountMinor / 100 + 5 : 100 + round * 5
}

async function bid(client: Client, auctionId: AuctionId, bidderId: number, amount: number): Promise<BidAttempt> {
  const parsed = parseNewBid({ auctionId, bidderId, amount })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  const sentAtMs = performance.now()
  const answer = await client.placeBid({ auctionId, bidderId, amount })
  return { bid: parsed.value, sentAtMs, answeredAtMs: performance.now(), answer: toldBy(answer) }
}

function toldBy({ status, body }: Answer): BidAnswer {
  if (status === 201) {
    const { id, auctionId, bidderId, amount, timestamp } = body.data
    return {
      outcome: 'accepted',
      bid: {
        id: v.parse(BidId, id),
        auctionId: v.parse(AuctionId, auctionId),
        bidderId: v.parse(UserId, bidderId),
        amountMinor: minor(amount),
        timestampMs: parseMoment(timestamp)?.epochMs ?? Number.NaN,
      },
    }
  }
  if (body.code !== 'bid-too-low') return { outcome: 'refused', code: body.code }
  const { currentPrice, minimumNextBid } = body
  return {
    outcome: 'refused',
    code: body.code,
    currentPriceMinor: minor(currentPrice),
    minimumNextBidMinor: minor(minimumNextBid),
  }
}
