import { type AuctionPosition, type AuctionQuery, agendaStages } from '@auction/domain/store'
import { sampleAuction } from '@auction/testing/samples'
import { type Document, Long } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { connectFakeStore, nothingFound } from './fake-server.ts'

const dueByMs = 5_000
const words = ['a', 'desk']
const { id, ownerId, productId } = sampleAuction({ id: 9, ownerId: 1, productId: 7 })

const orders = ['newest', 'agenda', 'ended'] as const
const times = [4_000, dueByMs, 6_000]
const filtersOf: Readonly<Record<AuctionPosition['order'], readonly Partial<AuctionQuery>[]>> = {
  newest: [{}, { stages: ['open'] }, { stages: agendaStages }, { words }, { words, stages: agendaStages }],
  agenda: [{}, { dueByMs }],
  ended: [{}],
}

/** Every kind of query. */
const queries: readonly AuctionQuery[] = orders.flatMap((order) =>
  [undefined, ...times.map((timeMs): AuctionPosition => ({ order, timeMs, id }))].flatMap((after) =>
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

/** The reply to a count. A list may be longer than a page may examine. */
const counted = (number: number): Document => ({ cursor: { ...nothingFound['cursor'], firstBatch: [{ n: number }] } })

/**
 * The requests of a store to a server with unlimited auctions, which returns this position as the end of the scan of a
 * page.
 */
async function asked(...lists: readonly AuctionQuery[]) {
  const scanEnd = [20, 19].map((each) => ({
    _id: Long.fromNumber(each),
    createdAtMs: Long.fromNumber(2_000),
    stageMs: Long.fromNumber(4_500),
  }))
  const { store, commands, startCommands } = await connectFakeStore(({ skip, pipeline }) => {
    if (pipeline !== undefined) return counted(1_001)
    return skip > 0 ? { cursor: { ...nothingFound['cursor'], firstBatch: scanEnd } } : nothingFound
  })
  const pages = []
  for (const query of lists) pages.push(await store.listAuctions(query))
  const indexes = startCommands.flatMap(({ createIndexes, indexes: made }) =>
    createIndexes === 'auctions' ? made : [],
  )
  const finds = commands().filter((command) => 'find' in command)
  return { pages, commands: finds, keyOf: (name: string) => indexes.find((index) => index.name === name).key }
}

/** The intervals of a query. */
const intervalsOf = ({ filter }: Document): readonly Document[] => filter.$or ?? [filter]

/** By MongoDB’s rules for reading an index in order: fields that are not sorted must be equal, and come first. */
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
      const isPrefixEqual = fields
        .slice(0, start)
        .every((field) => ['number', 'string'].includes(typeof interval[field]))
      // A range of ids within one time, or a range of times.
      return isPrefixEqual && (typeof interval[timeField] === 'number' || interval[idField] === undefined)
    })
  )
}

/** Lists auctions due by a time, after a later position. */
const isOfNone = (query: AuctionQuery): boolean => query.dueByMs !== undefined && (query.after?.timeMs ?? 0) > dueByMs

const number = { $gte: Number.MIN_SAFE_INTEGER }

describe('a list of auctions', () => {
  test('is read along one index, in its order, for every query', async () => {
    const { commands, keyOf } = await asked(...queries)
    expect(commands.length).toBeGreaterThan(queries.length)
    expect(commands.filter((command) => !isAlong(keyOf(command['hint']), command))).toEqual([])
  })

  // Otherwise the auctions of an owner or a product would be searched among all others.
  test('of an owner or a product examines only their auctions', async () => {
    const ofOne = queries.filter(({ words, ...same }) => !words && (same.ownerId ?? same.productId))
    const { commands } = await asked(...ofOne)
    expect(new Set(commands.map(({ hint }) => hint))).toEqual(
      new Set(['newest', 'by-stage'].flatMap((name) => [`${name}-of-owner-first`, `${name}-of-product-first`])),
    )
  })

  test('with a filter and only long lists first reads the end of its range from the index', async () => {
    const { commands, keyOf } = await asked(...queries)
    const ends = commands.filter(({ skip }) => skip !== undefined)
    for (const { hint, projection, filter, skip, limit, ...command } of ends) {
      expect({ skip, limit }).toEqual({ skip: 999, limit: 2 })
      const shown = Object.keys(projection).filter((field) => projection[field] === 1)
      const used = [...shown, ...intervalsOf({ ...command, filter }).flatMap(Object.keys)]
      expect(used.filter((field) => !(field in keyOf(hint)))).toEqual([])
      expect(projection['_id']).toBe(1)
    }
    const filtered = queries.filter(({ words, ...same }) => words || (same.ownerId && same.productId))
    expect(ends.length).toBe(filtered.length - filtered.filter(isOfNone).length)
  })

  test('of the newest goes from its position to the end of the scan', async () => {
    const after = { order: 'newest', timeMs: 4_000, id } as const
    const { pages, commands } = await asked({ order: 'newest', limit: 3, stages: ['open'], ownerId, productId, after })
    expect(commands.map(({ filter, limit, sort }) => ({ filter, limit, sort }))).toEqual([
      {
        filter: {
          $or: [
            { ownerId: 1, stage: 'open', createdAtMs: 4_000, _id: { $lt: 9 } },
            { ownerId: 1, stage: 'open', createdAtMs: { $lt: 4_000 } },
          ],
        },
        limit: 2,
        sort: { createdAtMs: -1, _id: -1 },
      },
      {
        filter: {
          $or: [
            { ownerId: 1, stage: 'open', createdAtMs: 4_000, _id: { $lt: 9 }, productId: 7 },
            { ownerId: 1, stage: 'open', createdAtMs: { $lt: 4_000, $gt: 2_000 }, productId: 7 },
            { ownerId: 1, stage: 'open', createdAtMs: 2_000, _id: { $gte: 20 }, productId: 7 },
          ],
        },
        limit: 4,
        sort: { createdAtMs: -1, _id: -1 },
      },
    ])
    expect(pages).toEqual([{ items: [], next: { order: 'newest', timeMs: 2_000, id: 20 } }])
  })

  test('of a search follows the shortest list, which it counts first, and filters by the others', async () => {
    const { store, commands } = await connectFakeStore(({ pipeline }) => {
      if (pipeline === undefined) return nothingFound
      return counted(pipeline[0].$match.words === 'old' ? 3 : 1_001)
    })
    await store.listAuctions({ order: 'newest', limit: 3, words: ['desk'] })
    const words = ['walnut', 'old', 'desk']
    await store.listAuctions({ order: 'newest', limit: 3, words, ownerId, productId, stages: ['open'] })
    const counts = commands().filter(({ aggregate }) => aggregate !== undefined)
    expect(counts.map(({ hint }) => hint).toSorted()).toEqual([
      ...['newest-of-owner-first', 'newest-of-product-first'],
      ...words.map(() => 'newest-of-word-first'),
    ])
    for (const { pipeline } of counts) expect(pipeline[1]).toEqual({ $limit: 1_001 })
    const times = { createdAtMs: { $lte: Number.MAX_SAFE_INTEGER } }
    const rest = { ownerId: 1, productId: 7, stage: { $in: ['open'] }, $and: [{ words: 'walnut' }, { words: 'desk' }] }
    const finds = commands().filter(({ find }) => find !== undefined)
    expect(finds.map(({ filter, hint }) => [hint, filter])).toEqual([
      ['newest-of-word-first', { words: 'desk', ...times }],
      ['newest-of-word-first', { words: 'old', ...times, ...rest }],
    ])
  })

  test('of the agenda of an owner and a product ends with the scan', async () => {
    const { pages, commands } = await asked({
      order: 'agenda',
      stages: ['open'],
      limit: 3,
      dueByMs,
      ownerId,
      productId,
    })
    expect(commands[1]?.['filter']).toEqual({
      $or: [
        { ownerId: 1, stage: 'open', stageMs: { ...number, $lt: 4_500 }, productId: 7 },
        { ownerId: 1, stage: 'open', stageMs: 4_500, _id: { $lte: 20 }, productId: 7 },
      ],
    })
    expect(pages).toEqual([{ items: [], next: { order: 'agenda', timeMs: 4_500, id: 20 } }])
  })

  test('is one query if all match, and is limited, too', async () => {
    const { commands } = await asked({ order: 'newest', limit: 3 }, { order: 'agenda', limit: 5_000 })
    expect(commands.map(({ limit, projection }) => ({ limit, projection }))).toEqual([
      { limit: 4, projection: { description: 0, words: 0 } },
      { limit: 1_001, projection: { description: 0, words: 0 } },
    ])
  })

  test('has ended if the last auction that it may examine is the last of all', async () => {
    const { store, commands } = await connectFakeStore(({ skip, pipeline }) => {
      if (pipeline !== undefined) return counted(1_001)
      return skip > 0
        ? { cursor: { ...nothingFound['cursor'], firstBatch: [{ _id: 20, createdAtMs: 2_000 }] } }
        : nothingFound
    })
    const page = await store.listAuctions({ order: 'newest', limit: 3, words: ['old', 'vase'] })
    expect(page).toEqual({ items: [], next: undefined })
    const times = { createdAtMs: { $lte: Number.MAX_SAFE_INTEGER } }
    expect(commands().at(-1)?.['filter']).toEqual({ words: 'old', ...times, $and: [{ words: 'vase' }] })
  })

  test('of due auctions after a later position is empty, without a query', async () => {
    const over = queries.filter(isOfNone)
    const { pages, commands } = await asked(...over)
    expect(over.length).toBeGreaterThan(0)
    expect(pages).toEqual(over.map(() => ({ items: [], next: undefined })))
    expect(commands).toEqual([])
  })
})

describe('an auction whose position is not a number', () => {
  const faults = { _id: 'unknown', createdAtMs: 0.5 }

  test('at the end of the scan is an error of the data', async () => {
    const firstBatch = [faults, faults]
    const { store } = await connectFakeStore(({ pipeline }) =>
      pipeline === undefined ? { cursor: { ...nothingFound['cursor'], firstBatch } } : counted(1_001),
    )
    const list = store.listAuctions({ order: 'newest', limit: 1, ownerId, productId })
    await expect(list).rejects.toThrow('the document unknown of auctions has an invalid field createdAtMs')
  })

  const { id: _, ...fields } = sampleAuction()
  const stored = (number: number, stageMs: number): Document => ({
    ...{ _id: number, version: 1, ...fields },
    ...{ stage: 'open', stageMs },
  })

  test.each([
    { title: 'the last of a page', page: [stored(1, 10), stored(2, 0.5)] },
    { title: 'the first of a page', page: [stored(2, 0.5), stored(1, 10)] },
  ])('is omitted from the list, which continues after the others: $title', async ({ page }) => {
    const firstBatch = [...page, stored(3, 20)]
    const { store } = await connectFakeStore(() => ({ cursor: { ...nothingFound['cursor'], firstBatch } }))
    const position = { order: 'agenda', timeMs: 10, id: 1 }
    expect(await store.listAuctions({ order: 'agenda', limit: 2 })).toMatchObject({
      items: [{ auction: { id: 1 }, position }],
      unreadable: [{ message: 'the stored auction 2 has an invalid field stageMs' }],
      next: position,
    })
  })

  test('ends the list with an error if all of a page are invalid', async () => {
    const firstBatch = [stored(1, 0.5), stored(2, 20)]
    const { store } = await connectFakeStore(() => ({ cursor: { ...nothingFound['cursor'], firstBatch } }))
    const list = store.listAuctions({ order: 'agenda', limit: 1 })
    await expect(list).rejects.toThrow('the document 1 of auctions has an invalid field stageMs')
  })
})
