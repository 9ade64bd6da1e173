import { isoOf } from '@auction/domain/moment'
import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleClosed, sampleEndTime, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  due,
  ended,
  entryIdsOf,
  headOf,
  idKinds,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
} from './helpers.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'

const endMs = Date.parse(sampleEndTime)

/** The lists of an agenda. A moved auction is not due a millisecond after its end. */
const shown = (agenda: readonly (readonly [number, number])[], open: readonly number[]) => ({
  agenda,
  due: agenda.filter(([, timeMs]) => timeMs === endMs),
  open,
})

/** Two handles that write in turn: the writer, and the reader. */
async function turnsOf(subject: StoreSubject, count: number) {
  const handles = [subject.store, await otherHandle(subject)]
  return range(1, count).map((turn) => {
    const [writer = subject.store, reader = subject.store] = turn % 2 === 0 ? handles : handles.toReversed()
    return { turn, writer, reader, both: [writer, reader] }
  })
}

/**
 * A write through one handle is visible through another as soon as it returns. In each test both handles read first, without
 * finding the data, so that the test detects a handle that caches results, including empty ones.
 */
export function secondHandle(suite: Suite): void {
  suite.needing('openSecondHandle', () => {
    auctionsAndBlocks(suite)
    ledgers(suite)
    afterwards(suite)
  })
}

function auctionsAndBlocks({ test, expect }: Suite): void {
  test('shows an auction to another handle at once, after reads that did not find it', async (subject) => {
    for (const { turn: id, writer, reader, both } of await turnsOf(subject, 6)) {
      const key = creationKey(`key-${id}`)
      for (const handle of both) {
        expect(await handle.findAuction(auctionIdOf(id))).toBe(undefined)
        expect(await handle.findAuctionByKey(key)).toBe(undefined)
      }
      expect(await writer.insertAuction(keyedAuction({ id }, key))).toBe('inserted')
      for (const handle of both) {
        expect(await handle.findAuction(auctionIdOf(id))).toStrictEqual(sampleAuction({ id }))
        expect(await handle.findAuctionByKey(key)).toStrictEqual(sampleAuction({ id }))
      }
      expect(await reader.insertAuction(sampleAuction({ id }))).toBe('taken')
      expect(await reader.insertAuction(keyedAuction({ id: 100 + id }, key))).toBe('taken')
    }
  })

  test('lists an auction through another handle at once, after earlier reads of the list', async (subject) => {
    const { ownerId, productId } = sampleAuction()
    const lists = (handle: Store) =>
      Promise.all([
        listed(handle),
        listed(handle, { order: 'agenda' }),
        listed(handle, { ownerId, onlyOpen: true }),
        listed(handle, { order: 'agenda', productId, dueByMs: endMs }),
      ])
    for (const { turn: id, writer, both } of await turnsOf(subject, 4)) {
      for (const handle of both) {
        expect((await lists(handle)).map((list) => list.length)).toEqual([id - 1, id - 1, id - 1, id - 1])
      }
      await writer.insertAuction(sampleAuction({ id }))
      const sorted = (list: readonly { readonly id: number }[]) => idsOf(list).toSorted()
      for (const handle of both) {
        expect((await lists(handle)).map(sorted)).toEqual(range(1, 4).map(() => range(1, id)))
      }
    }
  })

  test('shows a changed agenda to another handle at once, after earlier reads of it', async (subject) => {
    const lists = async (handle: Store) => ({
      agenda: await agendaOf(handle),
      due: await agendaOf(handle, { dueByMs: endMs + 1 }),
      open: idsOf(await listed(handle, { onlyOpen: true })).toSorted(),
    })
    for (const id of range(1, 4)) await subject.store.insertAuction(sampleAuction({ id }))
    let agenda = range(1, 4).map((id) => [id, endMs] as const)
    for (const { turn: id, writer, both } of await turnsOf(subject, 4)) {
      const open = range(1, 4).filter((each) => each % 2 === 1 || each >= id)
      for (const handle of both) expect(await lists(handle)).toEqual(shown(agenda, open))
      await writer.updateAgenda([id % 2 === 0 ? ended(id, endMs) : due(id, endMs + 1 + id)])
      agenda = agenda.filter(([each]) => each !== id)
      if (id % 2 === 1) agenda.push([id, endMs + 1 + id])
      const left = open.filter((each) => each !== id || id % 2 === 1)
      for (const handle of both) expect(await lists(handle)).toEqual(shown(agenda, left))
    }
  })

  test('shows a claimed block of ids to another handle at once', async (subject) => {
    for (const kind of idKinds) {
      for (const { turn: block, writer, reader, both } of await turnsOf(subject, 4)) {
        for (const handle of both) expect((await handle.highestIdBlock(kind)) ?? 0).toBe(block - 1)
        expect(await writer.claimIdBlock(kind, block)).toBe('claimed')
        for (const handle of both) expect(await handle.highestIdBlock(kind)).toBe(block)
        expect(await reader.claimIdBlock(kind, block)).toBe('taken')
      }
    }
  })
}

function ledgers({ test, expect }: Suite): void {
  test('shows a new head to another handle at once, after reads of the previous one', async (subject) => {
    const ids = auctionIdsOf([1, 2])
    for (const { turn: sequence, writer, reader, both } of await turnsOf(subject, 6)) {
      const before = sampleEntries(sequence - 1)
      for (const handle of both) {
        expect(await handle.findHeads(ids)).toStrictEqual(before.slice(-1))
        expect(await ledgerOf(handle)).toStrictEqual(before)
      }
      const entry = sampleEntry({ id: sequence, sequence })
      expect(await writer.append([entry])).toBe(1)
      for (const handle of both) {
        expect(await handle.findHeads(ids)).toStrictEqual([entry])
        expect(await ledgerOf(handle)).toStrictEqual([...before, entry])
      }
      expect(await reader.append([sampleEntry({ id: 100 + sequence, sequence })])).toBe(0)
    }
  })

  test('shows an entry to another handle by its id and its key at once, after reads that did not find it', async (subject) => {
    for (const { turn, writer, reader, both } of await turnsOf(subject, 6)) {
      const entry = sampleEntry({ id: turn, auctionId: turn, requestKey: `key-${turn}` })
      const keys = [sampleKey(`key-${turn}`), sampleKey('other')]
      for (const handle of both) {
        expect(await handle.findEntries(entryIdsOf([turn, 99]))).toStrictEqual([])
        expect(await handle.findEntriesByKey(keys)).toStrictEqual([])
        expect(await handle.findHeads([entry.auctionId])).toStrictEqual([])
      }
      await writer.append([entry])
      for (const handle of both) {
        expect(await handle.findEntries(entryIdsOf([turn, 99]))).toStrictEqual([entry])
        expect(await handle.findEntriesByKey(keys)).toStrictEqual([entry])
        expect(await handle.findHeads([entry.auctionId])).toStrictEqual([entry])
      }
      const duplicate = sampleEntry({ id: 100 + turn, auctionId: 100 + turn, requestKey: `key-${turn}` })
      expect(await reader.append([duplicate])).toBe(0)
      expect(await reader.append([sampleEntry({ id: turn, auctionId: 100 + turn })])).toBe(0)
    }
  })

  test('shows new data to another handle after it read a full page', async (subject) => {
    for (const { turn, writer, both } of await turnsOf(subject, 4)) {
      const cut = (handle: Store) =>
        Promise.all([
          handle.listEntries(auctionIdOf(1), { limit: 1 }),
          listed(handle, { limit: 1 }),
          listed(handle, { order: 'agenda', limit: 1 }),
        ])
      for (const handle of both) expect((await cut(handle)).map((list) => list.length <= 1)).toEqual([true, true, true])
      await writer.append([
        sampleEntry({ id: 2 * turn - 1, sequence: 2 * turn - 1 }),
        sampleEntry({ id: 2 * turn, sequence: 2 * turn }),
      ])
      await writer.insertAuction(sampleAuction({ id: turn, createdAtMs: turn, endTime: isoOf(endMs - turn) }))
      for (const handle of both) {
        expect((await cut(handle)).map(idsOf)).toEqual([[2 * turn], [turn], [turn]])
        expect(idsOf(await ledgerOf(handle))).toEqual(range(1, 2 * turn))
        expect((await headOf(handle))?.sequence).toBe(2 * turn)
      }
    }
  })

  test('shows the end of an auction to another handle at once', async (subject) => {
    const other = await otherHandle(subject)
    await subject.store.append(sampleEntries(2))
    expect(await headOf(other)).toStrictEqual(sampleEntries(2)[1])
    const closed = sampleClosed({ id: 3, sequence: 3 })
    await subject.store.append([closed])
    expect(await headOf(other)).toStrictEqual(closed)
    expect(await other.append([sampleEntry({ id: 4, sequence: 3 })])).toBe(0)
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
      await writer.claimIdBlock('entries', turn)
      expect(await writer.claimIdBlock('entries', turn)).toBe('taken')

      expect(await headOf(reader, a)).toStrictEqual(first)
      expect(await reader.append([second])).toBe(1)
      expect(await writer.append([sampleEntry({ id: id + 60, auctionId: b, sequence: turn })])).toBe(1)
      expect((await headOf(reader, b))?.sequence).toBe(turn)
    }
  })

  test('shows all data to a handle that is opened later', async (subject) => {
    const entries = [...sampleEntries(2), sampleClosed({ id: 3, sequence: 3, requestKey: 'a' })]
    await subject.store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    await subject.store.insertAuction(sampleAuction({ id: 2 }))
    await subject.store.append(entries)
    await subject.store.claimIdBlock('auctions', 7)

    const later = await otherHandle(subject)
    expect(await later.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(idsOf(await listed(later))).toEqual([2, 1])
    expect(await ledgerOf(later)).toStrictEqual(entries)
    expect(await later.findEntriesByKey([sampleKey('a')])).toStrictEqual(entries.slice(2))
    expect(await later.highestIdBlock('auctions')).toBe(7)
  })
}
