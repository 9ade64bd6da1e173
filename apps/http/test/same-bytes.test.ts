import { expect, test } from 'vitest'
import { startReceiver } from '../../../tools/vitest/receiver.ts'
import { type ApiResponse, type Client, clientOf } from './support/client.ts'
import { startServer } from './support/server.ts'
import {
  correcting,
  correctingOwn,
  managing,
  permissions,
  saleManaging,
  tokenOf,
  webhookSecret,
} from './support/tokens.ts'

// Two runs that differ in reserves or maximums alone look the same to all whom these do not concern: responses, entity tags and
// webhooks have the same bytes.

type Run = {
  /** A user with the permissions to correct and to repair any auction, but not to read reserves. */
  as(user: number): Client
  /** Keeps a response to another caller. */
  see(response: Promise<ApiResponse>): Promise<void>
  /** Everything that the readers can read. */
  look(): Promise<void>
}

type Story = {
  readonly what: string
  /** The secrets of both runs. */
  readonly secrets: readonly [readonly number[], readonly number[]]
  readonly auctions: number
  play(run: Run, secrets: readonly number[]): Promise<void>
  /** What one of the responses shows, so that the story happened. */
  readonly shows: RegExp
}

const any = { 'if-match': '*' }

const stories: readonly Story[] = [
  {
    what: 'a corrected reserve',
    secrets: [[600], [700]],
    auctions: 1,
    async play({ as, see, look }, [corrected]) {
      await as(1).createAuction({ reservePrice: 500, buyNowPrice: 9_000 })
      expect((await as(1).patch('/api/Auctions/1', { reservePrice: corrected }, any)).status).toBe(200)
      await look()
      for (const fields of [{ startingPrice: 650 }, { startingPrice: 50 }, { buyNowPrice: 650 }, { title: 'A' }])
        await see(as(2).patch('/api/Auctions/1', fields, any))
      await see(as(2).placeBid({ amount: 100, maximumAmount: 200 }))
    },
    shows: /reserve-not-met/,
  },
  {
    what: 'a lowered reserve',
    secrets: [[600], [700]],
    auctions: 1,
    async play({ as, see, look }, [lowered]) {
      const lower = (user: number, reservePrice = 0, more = {}) =>
        as(user).post('/api/Auctions/1/Reserve', { reservePrice, ...more })
      await as(1).createAuction({ reservePrice: 800 })
      await as(2).placeBid({ maximumAmount: 300 })
      expect((await lower(1, lowered)).status).toBe(200)
      await look()
      for (const reserve of [650, 550, lowered, 0]) await see(lower(2, reserve, { reason: 'Agreed.' }))
    },
    shows: /"outcome":"sold"/,
  },
  {
    what: 'the maximums before a withdrawal',
    secrets: [
      [3_000, 6_000],
      [4_000, 7_000],
    ],
    auctions: 1,
    async play({ as, see, look }, [leading, withdrawn]) {
      await as(1).createAuction({})
      expect((await as(2).placeBid({ maximumAmount: leading })).status).toBe(201)
      expect((await as(3).placeBid({ bidderId: 3, amount: 5_000, maximumAmount: withdrawn })).status).toBe(201)
      await look()
      const withdrawal = { bidderId: 3, reason: 'A slip.', block: true }
      for (let times = 0; times < 2; times++) await see(as(4).post('/api/Auctions/1/Withdrawal', withdrawal))
      await look()
      for (const amount of [1, 200]) await see(as(4).placeBid({ bidderId: 4, amount }))
    },
    shows: /"winnerId":2/,
  },
  {
    what: 'reserves and maximums of all formats',
    secrets: [
      [5_000, 3_000, 300, 400, 250],
      [6_500.5, 3_333, 1_357.9, 2_468, 999.99],
    ],
    auctions: 2,
    async play({ as, look }, [reserve, other, first, raised, third]) {
      for (const reservePrice of [reserve, other]) await as(1).createAuction({ reservePrice, buyNowPrice: 9_000 })
      await as(2).placeBid({ maximumAmount: first })
      await look()
      await as(3).placeBid({ bidderId: 3, amount: 200 })
      await as(2).placeBid({ amount: 205, maximumAmount: raised })
      await as(3).placeBid({ auctionId: 2, bidderId: 3, amount: 150, maximumAmount: third })
      await as(3).buyNow({ buyerId: 3 })
    },
    shows: /"automatic":true/,
  },
  {
    what: 'the reserves of lots and of the defaults of a sale',
    secrets: [
      [600, 300],
      [700.5, 450],
    ],
    auctions: 3,
    async play({ as, see, look }, [byDefault, own]) {
      const lotDefaults = { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5, buyNowPrice: 9_000 }
      const terms = { title: 'Estate', currency: 'USD', startTime: '2030-01-30T12:00:00Z', intervalSeconds: 60 }
      const sale = { ...terms, firstEndTime: '2030-02-01T18:00:00Z' }
      const fields = { ...sale, lotDefaults: { ...lotDefaults, reservePrice: byDefault } }
      const path = (await as(1).post('/api/Sales', fields)).headers.get('location')
      const lots = [
        { lot: '1', title: 'Desk' },
        { lot: '2', title: 'Chair', reservePrice: own },
      ]
      expect((await as(1).post(`${path}/Lots`, { lots })).status).toBe(200)
      for (const check of ['?check=true', '']) {
        const send = (lot: object) => see(as(2).post(`${path}/Lots${check}`, { lots: [{ title: 'Lamp', ...lot }] }))
        for (const prices of [{ startingPrice: 650 }, { startingPrice: 50 }, { buyNowPrice: 650 }, { buyNowPrice: -1 }])
          await send({ lot: '3', ...prices })
        for (const lot of ['1', '2', '3']) await send({ lot })
      }
      await see(as(2).placeBid({ auctionId: 2, amount: 500 }))
      await see(as(2).post('/api/Sales', fields))
      await see(as(2).post(`${path}/Extension`, { seconds: 60, reason: 'Outage' }, { 'idempotency-key': 'e' }))
      await look()
      for (const reader of [as(2), as(9)])
        for (const read of ['/api/Sales', `${path}`, `${path}/Lots`]) {
          await see(reader.get(read))
          await see(reader.send('GET', read, { headers: { accept: 'text/csv' } }))
        }
    },
    shows: /must be sent with startingPrice or buyNowPrice.*lot-taken.*reserve-not-met/s,
  },
]

const paths = [
  ...['/api/Auctions', '/api/Auctions?status=Active&sort=endTime', '/api/Auctions?status=Ended', '/api/Auctions/2'],
  ...['', '/Events', '/Repairs', '/Bids'].map((path) => `/api/Auctions/1${path}`),
  ...[1, 2, 3, 4].map((id) => `/api/Bids/${id}`),
]

async function seenWith({ auctions, play }: Story, secrets: readonly number[]): Promise<readonly string[]> {
  const receiver = await startReceiver()
  const uid = { JWT_SUBJECT_CLAIM: 'uid', ANONYMOUS_READS: 'on', RATE_LIMIT_MAX: '10000' }
  const environment = { ...uid, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret }
  const server = await startServer({ environment })
  const granted = [...permissions, correctingOwn]
  const as = (user: number) => {
    const staff = [saleManaging, ...(user === 1 ? [] : [correcting, managing])]
    return clientOf(server, tokenOf(`user ${user}`, { uid: user, permissions: [...granted, ...staff] }))
  }
  const seen: string[] = []
  const see = async (response: Promise<ApiResponse>) => {
    const { status, text, headers } = await response
    seen.push([status, text, headers.get('etag'), headers.get('content-length')].join(' '))
  }
  const look = async () => {
    for (const reader of [as(9), clientOf(server, '')]) for (const path of paths) await see(reader.get(path))
  }
  await play({ as, see, look }, secrets)
  await look()
  server.clock.set('2030-02-08T00:00:00Z')
  await server.service.closeDue()
  await look()
  const ended = () => receiver.messages.filter(({ body }) => body.includes('auction.ended'))
  while (ended().length < auctions) await receiver.received(receiver.messages.length + 1)
  return [...seen, ...receiver.messages.map(({ body }) => body).toSorted()]
}

test.each(stories)('no other caller can find $what', async (story) => {
  const [one, other] = [await seenWith(story, story.secrets[0]), await seenWith(story, story.secrets[1])]
  expect(one).toEqual(other)
  expect(one.join('\n')).toMatch(story.shows)
})
