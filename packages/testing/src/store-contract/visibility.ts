import { isoOf } from '@auction/domain/moment'
import { agendaStages, type Store } from '@auction/domain/store'
import {
  sampleAuction,
  sampleClosed,
  sampleEndTime,
  sampleEntries,
  sampleEntry,
  sampleKey,
  sampleStartTime,
} from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  due,
  ended,
  entryIdsOf,
  findByIds,
  findByKey,
  headOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
} from './helpers.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'

const startMs = Date.parse(sampleStartTime)
const endMs = Date.parse(sampleEndTime)

/** Two handles that write in turn: the writer, and the reader. A subject with one handle uses it for both. */
async function turnsOf(subject: StoreSubject, count: number) {
  const handles = [subject.store, await otherHandle(subject)]
  return range(1, count).map((turn) => {
    const [writer = subject.store, reader = subject.store] = turn % 2 === 0 ? handles : handles.toReversed()
    return { turn, writer, reader }
  })
}

/** One write in each turn, and what both handles read before and after it. */
type Visible = {
  readonly turns: number
  readonly begin?: (store: Store) => Promise<unknown>
  readonly write: (writer: Store, turn: number) => Promise<unknown>
  readonly read: (handle: Store, turn: number) => Promise<unknown>
  /** What `read` returns after the writes of this many turns. */
  readonly expected: (written: number, turn: number) => unknown
  /** Writes that fail because of the keys of the turn. */
  readonly again?: (reader: Store, turn: number) => readonly Promise<unknown>[]
}

/**
 * A write is visible through every handle as soon as it returns. In each test the handles read first, without finding
 * the data, so that the test detects a handle that caches results, including empty ones.
 */
export function visibility(suite: Suite): void {
  const shows = showing(suite)
  auctionsAndBlocks(shows)
  ledgers(shows)
  suite.needing('openSecondHandle', () => afterwards(suite))
}

/** Declares tests of what both handles show before and after each write. */
export const showing =
  ({ test, expect }: Suite): Shows =>
  (name, { turns, begin, write, read, expected, again }) =>
    test(name, async (subject) => {
      await begin?.(subject.store)
      for (const { turn, writer, reader } of await turnsOf(subject, turns)) {
        for (const handle of [writer, reader]) expect(await read(handle, turn)).toStrictEqual(expected(turn - 1, turn))
        await write(writer, turn)
        for (const handle of [writer, reader]) expect(await read(handle, turn)).toStrictEqual(expected(turn, turn))
        const results = await Promise.all(again?.(reader, turn) ?? [])
        expect(results.filter((result) => result !== 'taken' && result !== 0)).toEqual([])
      }
    })

type Shows = (name: string, visible: Visible) => void

function auctionsAndBlocks(shows: Shows): void {
  const keyOf = (id: number) => creationKey(`key-${id}`)

  shows('shows an auction at once, after reads that did not find it', {
    turns: 6,
    write: (writer, id) => writer.insertAuction(keyedAuction({ id }, keyOf(id))),
    read: (handle, id) =>
      Promise.all([
        handle.findAuction(auctionIdOf(id)),
        findByKey(handle, keyOf(id)),
        findByIds(handle, auctionIdsOf([id, 99])),
      ]),
    expected(written, id) {
      const shown = written < id ? undefined : sampleAuction({ id })
      return [shown, shown, shown === undefined ? [] : [shown]]
    },
    again: (reader, id) => [
      reader.insertAuction(sampleAuction({ id })),
      reader.insertAuction(keyedAuction({ id: 100 + id }, keyOf(id))),
    ],
  })

  const { ownerId, productId } = sampleAuction()
  const lists = [
    {},
    { order: 'agenda' },
    { ownerId, stages: agendaStages },
    { order: 'agenda', productId, dueByMs: endMs },
  ] as const
  shows('lists an auction at once, after earlier reads of the lists', {
    turns: 4,
    write: (writer, id) => writer.insertAuction(sampleAuction({ id })),
    read: (handle) => Promise.all(lists.map(async (query) => idsOf(await listed(handle, query)).toSorted())),
    expected: (written) => lists.map(() => range(1, written)),
  })

  shows('shows a changed agenda at once, after earlier reads of it', {
    turns: 4,
    begin: (store) => Promise.all(range(1, 4).map((id) => store.insertAuction(sampleAuction({ id })))),
    write: (writer, id) => writer.updateAgenda([id % 2 === 0 ? ended(id, endMs) : due(id, endMs + 1 + id)]),
    read: async (handle) => ({
      agenda: await agendaOf(handle),
      due: await agendaOf(handle, { dueByMs: endMs + 1 }),
      open: idsOf(await listed(handle, { stages: agendaStages })).toSorted(),
      ended: idsOf(await listed(handle, { order: 'ended' })).toSorted(),
    }),
    expected(written) {
      const open = range(1, 4).filter((id) => id % 2 === 1 || id > written)
      const unmoved = open.filter((id) => id > written).map((id) => [id, startMs])
      const moved = open.filter((id) => id <= written).map((id) => [id, endMs + 1 + id])
      const endedIds = range(1, 4).filter((id) => !open.includes(id))
      return { agenda: [...unmoved, ...moved], due: unmoved, open, ended: endedIds }
    },
  })
}

function ledgers(shows: Shows): void {
  shows('shows a new head at once, after reads of the previous one', {
    turns: 6,
    write: (writer, sequence) => writer.append([sampleEntry({ id: sequence, sequence })]),
    read: async (handle) => [await handle.findHeads(auctionIdsOf([1, 2])), await ledgerOf(handle)],
    expected: (written) => [sampleEntries(written).slice(-1), sampleEntries(written)],
    again: (reader, sequence) => [reader.append([sampleEntry({ id: 100 + sequence, sequence })])],
  })

  const entryOf = (turn: number) => sampleEntry({ id: turn, auctionId: turn, requestKey: `key-${turn}` })
  shows('shows an entry by its id and its key at once, after reads that did not find it', {
    turns: 6,
    write: (writer, turn) => writer.append([entryOf(turn)]),
    read: (handle, turn) =>
      Promise.all([
        handle.findEntries(entryIdsOf([turn, 99])),
        handle.findEntriesByKey([sampleKey(`key-${turn}`), sampleKey('other')]),
        handle.findHeads(auctionIdsOf([turn])),
      ]),
    expected(written, turn) {
      const shown = written < turn ? [] : [entryOf(turn)]
      return [shown, shown, shown]
    },
    again: (reader, turn) => [
      reader.append([sampleEntry({ id: 100 + turn, auctionId: 100 + turn, requestKey: `key-${turn}` })]),
      reader.append([sampleEntry({ id: turn, auctionId: 100 + turn })]),
    ],
  })

  shows('shows new data after a read of a full page', {
    turns: 4,
    async write(writer, turn) {
      const entries = [2 * turn - 1, 2 * turn].map((id) => sampleEntry({ id, sequence: id }))
      await writer.append(entries)
      await writer.insertAuction(sampleAuction({ id: turn, createdAtMs: turn, startTime: isoOf(startMs - turn) }))
    },
    async read(handle) {
      const cut = await Promise.all([
        handle.listEntries(auctionIdOf(1), { limit: 1 }),
        listed(handle, { limit: 1 }),
        listed(handle, { order: 'agenda', limit: 1 }),
      ])
      return [...cut.map(idsOf), idsOf(await ledgerOf(handle))]
    },
    expected: (written) =>
      written === 0 ? [[], [], [], []] : [[2 * written], [written], [written], range(1, 2 * written)],
  })
}

function afterwards({ test, expect }: Suite): void {
  test('rolls back and leaves nothing open when a key is taken', async (subject) => {
    const [a, b] = [1, 2]
    for (const { turn, writer, reader } of await turnsOf(subject, 4)) {
      const id = turn * 100
      const first = sampleEntry({ id: id + 1, auctionId: a, sequence: turn * 2 - 1 })
      const second = sampleEntry({ id: id + 2, auctionId: a, sequence: turn * 2 })
      // Each of these has a taken key.
      expect(await writer.append([first, { ...second, sequence: first.sequence }, second])).toBe(1)
      await writer.insertAuction(sampleAuction({ id }))
      expect(await writer.insertAuction(sampleAuction({ id }))).toBe('taken')
      expect(await writer.claimNextIdBlock('entries')).toBe(turn)

      expect(await headOf(reader, a)).toStrictEqual(first)
      expect(await reader.append([second])).toBe(1)
      expect(await writer.append([sampleEntry({ id: id + 60, auctionId: b, sequence: turn })])).toBe(1)
      expect((await headOf(reader, b))?.sequence).toBe(turn)
    }
  })

  test('opens several handles at once, each of which shows and stores data', async (subject) => {
    await subject.store.append(sampleEntries(1))
    const handles = await Promise.all(range(1, 4).map(() => otherHandle(subject)))
    for (const handle of handles) expect(await ledgerOf(handle)).toStrictEqual(sampleEntries(1))
    const appends = handles.map((handle, index) =>
      handle.append([sampleEntry({ id: 10 + index, auctionId: 10 + index })]),
    )
    expect(await Promise.all(appends)).toEqual([1, 1, 1, 1])
  })

  test('shows all data to a handle that is opened later', async (subject) => {
    const entries = [...sampleEntries(2), sampleClosed({ id: 3, sequence: 3, requestKey: 'a' })]
    await subject.store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    await subject.store.insertAuction(sampleAuction({ id: 2 }))
    await subject.store.append(entries)
    await subject.store.claimNextIdBlock('auctions')

    const later = await otherHandle(subject)
    expect(await findByKey(later, creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(idsOf(await listed(later))).toEqual([2, 1])
    expect(await ledgerOf(later)).toStrictEqual(entries)
    expect(await later.findEntriesByKey([sampleKey('a')])).toStrictEqual(entries.slice(2))
    expect(await later.claimNextIdBlock('auctions')).toBe(2)
  })
}
