import { auctionStatuses } from '@auction/domain/auction/status'
import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import { sampleAuction } from '@auction/domain/testing/samples'
import { type Document, Long } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { connectFakeStore, nothingFound } from './fake-store.ts'

const nowMs = 5_000
const { id, ownerId, productId } = sampleAuction({ id: 9, ownerId: 1, productId: 7 })

const placesOf: Readonly<Record<AuctionPosition['order'], readonly (AuctionPosition | undefined)[]>> = {
  newest: [undefined, { order: 'newest', createdAtMs: 4_000, id }],
  endTime: [4_000, 5_000, 6_000].map((endMs) => ({ order: 'endTime', endMs, id })),
}

/** Every kind of query that there is. */
const queries: readonly AuctionQuery[] = (['newest', 'endTime'] as const).flatMap((order) =>
  [undefined, ...placesOf[order]].flatMap((after) =>
    [undefined, ...auctionStatuses].flatMap((is) =>
      [{}, { ownerId }, { productId }, { ownerId, productId }].map((same) => ({
        limit: 3,
        order,
        ...same,
        ...(after && { after }),
        ...(is && { status: { is, nowMs } }),
      })),
    ),
  ),
)

/** What a store asks a server that has auctions without end, and names this place where the scan of a page ends. */
async function asked(...lists: readonly AuctionQuery[]) {
  const scanEnd = [
    { _id: Long.fromNumber(20), createdAtMs: Long.fromNumber(2_000), endTime: { epochMs: Long.fromNumber(8_000) } },
    { _id: Long.fromNumber(19), createdAtMs: Long.fromNumber(2_000), endTime: { epochMs: Long.fromNumber(8_000) } },
  ]
  const { store, commands, startCommands } = await connectFakeStore(({ skip }) =>
    skip > 0 ? { cursor: { ...nothingFound['cursor'], firstBatch: scanEnd } } : nothingFound,
  )
  const pages = []
  for (const query of lists) pages.push(await store.listAuctions(query))
  const indexes = startCommands.flatMap(({ createIndexes, indexes: made }) =>
    createIndexes === 'auctions' ? made : [],
  )
  return { pages, commands: commands(), keyOf: (name: string) => indexes.find((index) => index.name === name).key }
}

/** The intervals that a query is made of. */
const intervalsOf = ({ filter }: Document): readonly Document[] => filter.$or ?? [filter]

/** By the rules by which MongoDB reads an index in its order: what is not sorted by must be equal, and comes first. */
function isAlong(key: Document, command: Document): boolean {
  const fields = Object.keys(key)
  const sort = Object.entries<number>(command['sort'])
  const start = fields.indexOf(sort[0]?.[0] ?? '')
  const [timeField = '', idField = ''] = fields.slice(start)
  const directions = new Set(sort.map(([field, direction]) => key[field] * direction))
  const isSorted = sort.map(([field]) => field).join() === `${timeField},${idField}` && directions.size === 1
  return (
    isSorted &&
    intervalsOf(command).every((interval) => {
      const isPrefixEqual = fields.slice(0, start).every((field) => typeof interval[field] === 'number')
      // A range of ids within one time, or a range of times.
      return isPrefixEqual && (typeof interval[timeField] === 'number' || interval[idField] === undefined)
    })
  )
}

describe('a list of auctions', () => {
  test('is read along one index, in its order, whatever is asked', async () => {
    const { commands, keyOf } = await asked(...queries)
    expect(commands.length).toBeGreaterThan(queries.length)
    expect(commands.filter((command) => !isAlong(keyOf(command['hint']), command))).toEqual([])
  })

  test('is first asked how far it goes where not all match, which the index alone tells', async () => {
    const { commands, keyOf } = await asked(...queries)
    const ends = commands.filter(({ skip }) => skip !== undefined)
    for (const { hint, projection, filter, skip, limit, ...command } of ends) {
      expect({ skip, limit }).toEqual({ skip: 999, limit: 2 })
      const used = [...Object.keys(projection), ...intervalsOf({ ...command, filter }).flatMap(Object.keys)]
      expect(used.filter((field) => !(field in keyOf(hint)))).toEqual([])
    }
    const filtered = queries.filter(
      ({ order, status, ...same }) =>
        status !== undefined ||
        (order === 'newest'
          ? same.ownerId && same.productId
          : same.ownerId !== undefined || same.productId !== undefined),
    )
    // The one that is left out begins behind all that it asks for.
    expect(ends.length).toBe(filtered.length - filtered.filter(isOver).length)
  })

  test('of the newest goes from its place to where the scan ends', async () => {
    const after = { order: 'newest', createdAtMs: 4_000, id } as const
    const { pages, commands } = await asked({ order: 'newest', limit: 3, ownerId, productId, after })
    expect(commands.map(({ filter, limit, sort }) => ({ filter, limit, sort }))).toEqual([
      {
        filter: {
          $or: [
            { ownerId: 1, createdAtMs: 4_000, _id: { $lt: 9 } },
            { ownerId: 1, createdAtMs: { $lt: 4_000 } },
          ],
        },
        limit: 2,
        sort: { createdAtMs: -1, _id: -1 },
      },
      {
        filter: {
          $or: [
            { ownerId: 1, createdAtMs: 4_000, _id: { $lt: 9 }, productId: 7 },
            { ownerId: 1, createdAtMs: { $lt: 4_000, $gt: 2_000 }, productId: 7 },
            { ownerId: 1, createdAtMs: 2_000, _id: { $gte: 20 }, productId: 7 },
          ],
        },
        limit: 4,
        sort: { createdAtMs: -1, _id: -1 },
      },
    ])
    expect(pages).toEqual([{ auctions: [], next: { order: 'newest', createdAtMs: 2_000, id: 20 } }])
  })

  test('within one millisecond is a range of ids', async () => {
    const after = { order: 'newest', createdAtMs: 2_000, id: sampleAuction({ id: 30 }).id } as const
    const { commands } = await asked({ order: 'newest', limit: 3, status: { is: 'Pending', nowMs }, after })
    expect(commands[1]?.['filter']).toEqual({
      createdAtMs: 2_000,
      _id: { $lt: 30, $gte: 20 },
      'startTime.epochMs': { $gt: nowMs },
    })
  })

  test.each([
    ['Active', { $lte: nowMs }],
    ['Pending', { $gt: nowMs }],
  ] as const)('by ends, of those that are %s, begins behind all that have ended', async (is, startTime) => {
    const { pages, commands } = await asked({ order: 'endTime', limit: 3, status: { is, nowMs } })
    const behind = [
      { 'endTime.epochMs': nowMs, _id: { $gt: Number.MAX_SAFE_INTEGER } },
      { 'endTime.epochMs': { $gt: nowMs } },
    ]
    expect(commands[0]?.['filter']).toEqual({ $or: behind })
    const filtered = [
      { ...behind[0] },
      { 'endTime.epochMs': { $gt: nowMs, $lt: 8_000 } },
      { 'endTime.epochMs': 8_000, _id: { $lte: 20 } },
    ].map((interval) => ({ ...interval, 'startTime.epochMs': startTime }))
    expect(commands[1]?.['filter']).toEqual({ $or: filtered })
    expect(pages).toEqual([{ auctions: [], next: { order: 'endTime', endMs: 8_000, id: 20 } }])
  })

  test('is one query where all match, and has its bound all the same', async () => {
    const { commands } = await asked({ order: 'newest', limit: 3 }, { order: 'endTime', limit: 5_000 })
    expect(commands.map(({ filter, limit }) => ({ filter, limit }))).toEqual([
      { filter: {}, limit: 4 },
      { filter: {}, limit: 1_001 },
    ])
  })

  test('has ended when the last that may be looked at is the last of all', async () => {
    const { store, commands } = await connectFakeStore(({ skip }) =>
      skip > 0
        ? { cursor: { ...nothingFound['cursor'], firstBatch: [{ _id: 20, createdAtMs: 2_000 }] } }
        : nothingFound,
    )
    const page = await store.listAuctions({ order: 'newest', limit: 3, status: { is: 'Pending', nowMs } })
    expect(page).toEqual({ auctions: [], next: undefined })
    expect(commands()[1]?.['filter']).toEqual({ 'startTime.epochMs': { $gt: nowMs } })
  })

  test('that begins where nothing can match any more is empty, and nothing is asked', async () => {
    const over = queries.filter(isOver)
    const { pages, commands } = await asked(...over)
    expect(over.length).toBeGreaterThan(0)
    expect(pages).toEqual(over.map(() => ({ auctions: [], next: undefined })))
    expect(commands).toEqual([])
  })
})

/** Asks for what has ended, behind a place at which all still go on. */
const isOver = ({ status, after }: AuctionQuery): boolean =>
  status?.is === 'Ended' && after?.order === 'endTime' && after.endMs > nowMs

test('an auction that is no number where the scan ends is a fault of the data', async () => {
  const scanEnd = [{ _id: 'nobody' }, { _id: 'nobody' }]
  const { store } = await connectFakeStore(() => ({ cursor: { ...nothingFound['cursor'], firstBatch: scanEnd } }))
  const list = store.listAuctions({ order: 'newest', limit: 1, status: { is: 'Active', nowMs } })
  await expect(list).rejects.toThrow('the document nobody of auctions has a faulty field createdAtMs')
})
