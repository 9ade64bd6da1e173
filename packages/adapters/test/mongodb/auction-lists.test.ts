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

type Filter = Pick<AuctionQuery, 'status' | 'inOvertimeAtMs'>
const filtersOf: Readonly<Record<AuctionPosition['order'], readonly Filter[]>> = {
  newest: [{}, ...auctionStatuses.map((is) => ({ status: { is, nowMs } }))],
  endTime: [{}, { status: { is: 'Active', nowMs } }, { inOvertimeAtMs: nowMs }],
}

/** Every kind of query that there is. */
const queries: readonly AuctionQuery[] = (['newest', 'endTime'] as const).flatMap((order) =>
  [undefined, ...placesOf[order]].flatMap((after) =>
    filtersOf[order].flatMap((filter) =>
      [{}, { ownerId }, { productId }, { ownerId, productId }].map((same) => ({
        limit: 3,
        order,
        ...same,
        ...(after && { after }),
        ...filter,
      })),
    ),
  ),
)

/** What a store asks a server that has auctions without end, and names this place where the scan of a page ends. */
async function asked(...lists: readonly AuctionQuery[]) {
  const scanEnd = [20, 19].map((each) => ({
    _id: Long.fromNumber(each),
    createdAtMs: Long.fromNumber(2_000),
    endTime: { epochMs: Long.fromNumber(8_000) },
    overtime: { endMs: Long.fromNumber(4_500), id: Long.fromNumber(each) },
  }))
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
      const shown = Object.keys(projection).filter((field) => projection[field] === 1)
      const used = [...shown, ...intervalsOf({ ...command, filter }).flatMap(Object.keys)]
      expect(used.filter((field) => !(field in keyOf(hint)))).toEqual([])
      // Ids are shown unless that is said.
      expect(projection['_id']).toBe('_id' in keyOf(hint) ? 1 : 0)
    }
    const filtered = queries.filter(
      ({ order, status, inOvertimeAtMs, ...same }) =>
        // All may be cancelled, as far as their terms tell.
        (status !== undefined && status.is !== 'Cancelled') ||
        inOvertimeAtMs !== undefined ||
        (order === 'newest'
          ? same.ownerId && same.productId
          : same.ownerId !== undefined || same.productId !== undefined),
    )
    // Those that are left out begin behind all that they ask for.
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

  test('by ends, of those that are Active, begins behind all that are past their end', async () => {
    const { pages, commands } = await asked({ order: 'endTime', limit: 3, status: { is: 'Active', nowMs } })
    const behind = [
      { 'endTime.epochMs': nowMs, _id: { $gt: Number.MAX_SAFE_INTEGER } },
      { 'endTime.epochMs': { $gt: nowMs } },
    ]
    expect(commands[0]?.['filter']).toEqual({ $or: behind })
    const filtered = [
      { ...behind[0] },
      { 'endTime.epochMs': { $gt: nowMs, $lt: 8_000 } },
      { 'endTime.epochMs': 8_000, _id: { $lte: 20 } },
    ].map((interval) => ({ ...interval, 'startTime.epochMs': { $lte: nowMs } }))
    expect(commands[1]?.['filter']).toEqual({ $or: filtered })
    expect(pages).toEqual([{ auctions: [], next: { order: 'endTime', endMs: 8_000, id: 20 } }])
  })

  const hasStarted = { 'startTime.epochMs': { $lte: nowMs } }
  const hasEnded = { 'endTime.epochMs': { $lte: nowMs } }
  const hasNotEnded = { 'endTime.epochMs': { $gt: nowMs } }

  test.each([
    ['Pending', [{ 'startTime.epochMs': { $gt: nowMs } }]],
    [
      'Active',
      [
        { ...hasStarted, ...hasNotEnded },
        { ...hasStarted, ...hasEnded, 'overtime.latestEndMs': { $gt: nowMs } },
      ],
    ],
    [
      'Ended',
      [
        { ...hasStarted, ...hasEnded },
        { ...hasStarted, ...hasNotEnded, buyNowPriceMinor: { $gte: 0 } },
      ],
    ],
  ] as const)('of those that may be %s asks for each of them once, by fields of its index', async (is, filters) => {
    const { commands, keyOf } = await asked({ order: 'newest', limit: 3, productId, status: { is, nowMs } })
    const intervals = [{ createdAtMs: { $gt: 2_000 } }, { createdAtMs: 2_000, _id: { $gte: 20 } }]
    const parts = filters.flatMap((filter) => intervals.map((interval) => ({ productId: 7, ...interval, ...filter })))
    expect(commands[1]?.['filter']).toEqual({ $or: parts })
    const fields = Object.keys(keyOf(commands[1]?.['hint']))
    expect(parts.flatMap(Object.keys).filter((field) => !fields.includes(field))).toEqual([])
  })

  test('of those in overtime goes along an index of those with a soft close, from a week before until now', async () => {
    const { pages, commands, keyOf } = await asked({ order: 'endTime', limit: 3, inOvertimeAtMs: nowMs, ownerId })
    const weekAgo = nowMs - 7 * 24 * 60 * 60 * 1_000
    const first = { 'overtime.endMs': weekAgo, 'overtime.id': { $gt: Number.MAX_SAFE_INTEGER } }
    expect(commands[0]?.['filter']).toEqual({
      $or: [
        first,
        { 'overtime.endMs': { $gt: weekAgo, $lt: nowMs } },
        { 'overtime.endMs': nowMs, 'overtime.id': { $lte: Number.MAX_SAFE_INTEGER } },
      ],
    })
    const parts = [
      first,
      { 'overtime.endMs': { $gt: weekAgo, $lt: 4_500 } },
      { 'overtime.endMs': 4_500, 'overtime.id': { $lte: 20 } },
    ]
    const filter = { ownerId: 1, 'overtime.latestEndMs': { $gt: nowMs } }
    expect(commands[1]?.['filter']).toEqual({ $or: parts.map((part) => ({ ...part, ...filter })) })
    // No field of it is one that every auction has: it is sparse.
    expect(Object.keys(keyOf(commands[1]?.['hint'])).filter((field) => !field.startsWith('overtime.'))).toEqual([])
    expect(pages).toEqual([{ auctions: [], next: { order: 'endTime', endMs: 4_500, id: 20 } }])
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

/** Asks for what is past its end, behind a place at which nothing is. */
const isOver = ({ inOvertimeAtMs, after }: AuctionQuery): boolean =>
  inOvertimeAtMs !== undefined && after?.order === 'endTime' && after.endMs > nowMs

test('an auction that is no number where the scan ends is a fault of the data', async () => {
  const scanEnd = [{ _id: 'nobody' }, { _id: 'nobody' }]
  const { store } = await connectFakeStore(() => ({ cursor: { ...nothingFound['cursor'], firstBatch: scanEnd } }))
  const list = store.listAuctions({ order: 'newest', limit: 1, status: { is: 'Active', nowMs } })
  await expect(list).rejects.toThrow('the document nobody of auctions has a faulty field createdAtMs')
})
