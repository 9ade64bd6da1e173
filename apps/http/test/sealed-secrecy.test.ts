import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemorySealer } from '@auction/adapters/memory'
import { createSealer } from '@auction/adapters/sealer'
import { openSqliteStore } from '@auction/adapters/sqlite'
import type { Sealer } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import { toAuctionId, toEntryId } from '@auction/domain/ids'
import type { AuctionEntry, Store } from '@auction/domain/store'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../tools/vitest/receiver.ts'
import { ringAuction } from '../src/api/operations/example-data.ts'
import { type ApiResponse, type AuctionClient, openAuction } from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { startServer, type TestServerOptions } from './support/server.ts'
import { bidderReader, managing, permissions, reserveReader, tokenOf, webhookSecret } from './support/tokens.ts'

// What observers of an auction with sealed bids receive does not depend on the bids of others: two auctions that differ
// in these give the same bytes. Who holds the log or the database sees who bid and when, but no amount.

const tokens = {
  stranger: tokenOf('stranger', { uid: 7 }),
  bidder: tokenOf('bidder', { uid: 6 }),
  seller: tokenOf('seller', { uid: 4 }),
  staff: tokenOf('staff', { uid: 9, permissions: [...permissions, managing, bidderReader, reserveReader] }),
}
const bidderToken = (uid: number) => tokenOf(`bidder ${uid}`, { uid })

type World = { readonly auction: AuctionClient }
type Bids = (world: World) => Promise<unknown>

const bid = ({ auction }: World, bidderId: number, amount: number) =>
  auction.as(bidderToken(bidderId)).placeBid({ bidderId, amount })

const few: Bids = async (world) => [await bid(world, 2, 150), await bid(world, 3, 120)]
const many: Bids = async (world) => {
  for (const [bidderId, amount] of [
    [3, 900],
    [5, 5_000],
    [2, 101],
    [3, 120],
    [2, 150],
  ] as const)
    await bid(world, bidderId, amount)
  await world.auction.as(bidderToken(5)).post(`/api/Auctions/${world.auction.id}/Withdrawal`, { bidderId: 5 })
}

type Plant = (store: Store) => Partial<Store>

/** Everything that observers receive at each stage of an auction with these bids. */
async function seenWith(bids: Bids, plant: Plant = () => ({})): Promise<readonly unknown[]> {
  const receiver = await startReceiver()
  const environment = { JWT_SUBJECT_CLAIM: 'uid', WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret }
  let isPlanted = false
  type Operation = (...given: unknown[]) => unknown
  const switched =
    (right: Operation, planted: Operation): Operation =>
    (...given) =>
      (isPlanted ? planted : right)(...given)
  const replaceInStore = (store: Store) =>
    Object.fromEntries(
      // The casts: an operation of a store is called with what it is called with.
      Object.entries(plant(store)).map(([name, planted]) => [
        name,
        switched(Reflect.get(store, name), planted as Operation),
      ]),
    )
  const server = await startServer({ environment, replaceInStore })
  const fields = { description: undefined, ...ringAuction, reservePrice: 110 }
  const auction = await openAuction(server, fields, tokens.seller)
  const seen: unknown[] = []
  const withoutBidId = (value: unknown) => JSON.stringify(value).replaceAll(/\\*"bidId\\*":\d+/g, '')
  const note = (who: string, path: string, { status, headers, text }: ApiResponse) => {
    const { date: _, 'x-request-id': __, ratelimit: _____, ...others } = Object.fromEntries(headers)
    // The result names the winning bid. Its id does not count bids, because ids are drawn at random; here, they are in order.
    const shown = text.replace(/"bidId":\d+/, '')
    const { etag: ___, 'content-length': ____, ...rest } = others
    seen.push([who, path, status, shown === text ? others : rest, shown])
  }
  const { id } = auction
  const paths = [
    ...[
      `/api/Auctions/${id}`,
      `/api/Auctions?limit=5`,
      `/api/Auctions/${id}/Bids?limit=1`,
      `/api/Auctions/${id}/Repairs`,
    ],
    ...[`/api/Auctions/${id}/Events`, `/api/Auctions/${id}/Events?after=1`, `/api/Auctions/${id}/Events?after=9`],
    ...[`/api/Auctions/${id}?at=1`, '/api/Bids?bidderId=2&limit=1', '/api/Bids?bidderId=5&limit=1', '/api/Bids/1'],
  ]
  const look = async () => {
    isPlanted = true
    for (const [who, token] of Object.entries(tokens))
      for (const path of paths) note(who, path, await auction.as(token).get(path))
    isPlanted = false
  }
  const change = async (who: keyof typeof tokens, path: string, body: object) =>
    note(who, path, await auction.as(tokens[who]).post(`/api/Auctions/${id}/${path}`, body))

  const stream = await openStream(server, `/api/Auctions/${id}/Events`, tokens.stranger)
  // Before those of others, because ids are drawn at random, but not by the sealer of this test.
  for (const amount of [105, 106])
    expect((await auction.as(tokens.bidder).placeBid({ bidderId: 6, amount })).status).toBe(201)
  await look()
  await bids({ auction })
  await look()
  await change('staff', 'Extension', { endTime: '2030-02-07T13:00:00Z', reason: 'Outage.' })
  await change('staff', 'Withdrawal', { bidderId: 8, reason: 'Asked for it.' })
  await change('staff', 'Withdrawal', { bidderId: 5, reason: 'Asked for it.' })
  await change('seller', 'Cancellation', {})
  await change('stranger', 'Purchase', { buyerId: 7 })
  await bids({ auction })
  await look()
  server.clock.set('2030-02-07T13:00:02Z')
  await server.service.closeDue()
  seen.push((await stream.rest()).map(({ event, id: sequence, data }) => [event, sequence, withoutBidId(data)]))
  await look()
  const messages = await receiver.received(5)
  seen.push(messages.map(({ headers, body }) => [headers['webhook-id'], withoutBidId(body)]))
  return seen
}

test('observers receive the same bytes, whatever others bid', async () => {
  const [one, other] = [await seenWith(few), await seenWith(many)]
  expect(other).toEqual(one)
  expect(JSON.stringify(one)).toContain('bidderCount')
})

/** Heads with a repair for each entry. */
const countInHeads: Plant = (store) => ({
  async findHeads(...args) {
    const heads = await store.findHeads(...args)
    return heads.map(({ state, ...head }) => {
      const repairs = { ...state.repairs, entryIds: Array.from({ length: head.sequence }, () => head.id) }
      return { ...head, state: { ...state, repairs } } as AuctionEntry // The cast: it has the same members.
    })
  },
})

/** Texts with the number of bids, which entity tags then depend on. */
const countInText: Plant = (store) => ({
  async findAuction(id) {
    const [auction, [head]] = await Promise.all([store.findAuction(id), store.findHeads([id])])
    return auction && { ...auction, title: `Ring, ${head?.sequence ?? 0}` }
  },
})

/** The number of entries in the ids of own bids, and so in the cursors of their pages. */
const countInCursors: Plant = (store) => ({
  async listBidderEntries(...args) {
    const [head] = await store.findHeads([toAuctionId(1)])
    const entries = (await store.listBidderEntries?.(...args)) ?? []
    return entries.map((entry) => ({ ...entry, id: toEntryId(entry.id + 1_000 * (head?.sequence ?? 0)) }))
  },
})

/** The entries of all bidders as those of one. */
const allBidders: Plant = (store) => ({
  async listBidderEntries(_, { limit, after }) {
    const entries = after === undefined ? await store.listEntries(toAuctionId(1), { limit }) : []
    return entries.filter(({ event }) => event.type === 'sealed-bid')
  },
})

test.each(Object.entries({ countInHeads, countInText, countInCursors, allBidders }))(
  'a planted leak is found: %s',
  async (_, plant) => {
    expect(await seenWith(many, plant)).not.toEqual(await seenWith(few, plant))
  },
)

const amounts = [7_348_291.57, 1_852_946.31, 6_203_718.94]
const written = amounts.flatMap((amount) => [String(amount), String(Math.round(amount * 100))])

/** What is written about these bids: the files of the database, and the log at its lowest level. */
async function writtenWith(sealer: Sealer, options: TestServerOptions = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sealed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openSqliteStore(join(folder, 'auctions.sqlite'))
  const environment = { JWT_SUBJECT_CLAIM: 'uid', LOG_LEVEL: 'trace' }
  const server = await startServer({ environment, store, sealer, ...options })
  const auction = await openAuction(server, { description: undefined, ...ringAuction }, tokens.seller)
  for (const [index, amount] of amounts.entries()) await bid({ auction }, 2 + index, amount)
  await auction.as(bidderToken(2)).get(`/api/Auctions/${auction.id}`)
  await auction.as(bidderToken(2)).get('/api/Bids?bidderId=2')
  await store.close()
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  return [...files, ...server.log].join('\n')
}

const countIn = (text: string, part: string) => text.split(part).length - 1
const amountsIn = (text: string) => written.filter((amount) => text.includes(amount))

test('no amount is in the database and in the log at trace', async () => {
  const text = await writtenWith(createSealer([Buffer.alloc(32, 7)]))
  expect(countIn(text, '"type":"sealed-bid"')).toBeGreaterThan(0)
  expect(countIn(text, '"path":"/api/Bids"')).toBe(4)
  expect(amountsIn(text)).toEqual([])
})

test('a planted sealer that hides nothing is found in the database', async () => {
  expect(amountsIn(await writtenWith(createMemorySealer()))).not.toEqual([])
})

test('a planted line of the log is found', async () => {
  const hidden = createSealer([Buffer.alloc(32, 7)])
  const bidsSeen: unknown[] = []
  const text = await writtenWith(
    {
      ...hidden,
      seal(amount, context) {
        bidsSeen.push(amount)
        return hidden.seal(amount, context)
      },
    },
    {
      replaceInStore: (store) => ({
        async listBidderEntries() {
          throw new StoreUnavailableError(`cannot list ${bidsSeen.join()}`)
        },
        listEntries: store.listEntries,
      }),
    },
  )
  expect(amountsIn(text)).not.toEqual([])
})
