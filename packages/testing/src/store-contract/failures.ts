import { sampleAuction, sampleEntries, sampleEntry } from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  canSearch,
  creationKey,
  due,
  findByKey,
  headOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
  whileInFlight,
} from './helpers.ts'
import {
  type Call,
  type CallOutcome,
  fill,
  outcomeOf,
  outcomeOfFault,
  outcomesOf,
  readsOf,
  rightReads,
  rightWrites,
  writesOf,
} from './operations.ts'
import { secretsOfWrites } from './secrets.ts'
import { claimed, settled } from './settled-failures.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'
import { handlesOf, insertUntilStored, keyedEntries, outcomesDuring, sendUntilStored, type Trouble } from './trouble.ts'

/** A failed operation is reported, is stored completely or not at all, and leaves nothing open. */
export function failures(suite: Suite): void {
  suite.needing('breakStore', () => {
    const outage: Trouble = {
      when: 'while it is unavailable',
      begin: async ({ breakStore }) => breakStore?.(),
      effect: undefined,
    }
    reported(suite, outage, (subject, calls) =>
      outcomesDuring(outage, subject, () => outcomesOf(calls, subject.store, { outcome: outcomeOfFault })),
    )
    settled(suite, outage)
    claimed(suite, outage)
    secretsOfWrites(suite, outage.when, (subject, calls) =>
      outcomesDuring(outage, subject, () => Promise.all(calls.map((call) => call()))),
    )
    recovering(suite)
  })
  suite.needing('failNext', () => {
    for (const [fault, effect] of Object.entries(suite.faults)) {
      const trouble: Trouble = {
        when: `because of ${fault}`,
        async begin({ failNext }) {
          await failNext?.(fault)
          return undefined
        },
        effect,
      }
      reported(suite, trouble, async (subject, calls) => {
        const outcomes: Record<string, CallOutcome> = {}
        for (const [name, call] of Object.entries(calls)) {
          outcomes[name] = await outcomesDuring(trouble, subject, () => outcomeOfFault(() => call(subject.store)))
        }
        return outcomes
      })
      settled(suite, trouble)
      claimed(suite, trouble)
      secretsOfWrites(suite, trouble.when, async (subject, calls) => {
        const outcomes: Awaited<ReturnType<(typeof calls)[number]>>[] = []
        for (const call of calls) outcomes.push(await outcomesDuring(trouble, subject, call))
        return outcomes
      })
      passing(suite, trouble)
    }
  })
}

type OutcomesOf = (
  subject: StoreSubject,
  calls: Readonly<Record<string, Call>>,
) => Promise<Readonly<Record<string, CallOutcome>>>

function reported({ test, expect }: Suite, { when }: Trouble, outcomesOf: OutcomesOf): void {
  test(`fails every write with the code store-unavailable and a cause ${when}`, async (subject) => {
    await fill(subject.store)
    expect(await outcomesOf(subject, writesOf(subject.store))).toStrictEqual(rightWrites(subject.store))
  })

  test(`fails every read with the code store-unavailable and a cause ${when}`, async (subject) => {
    await fill(subject.store)
    const outcomes = await outcomesOf(subject, readsOf(subject.store))
    expect(outcomes).toStrictEqual(rightReads(outcomes))
  })
}

/** A store works again after an outage of every operation. */
function recovering({ test, expect }: Suite): void {
  test('works again after it recovers, and has kept its data', async (subject) => {
    const { store, breakStore } = subject
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    await store.append(sampleEntries(3))
    await store.claimNextIdBlock('auctions')
    const repair = await breakStore?.()
    await outcomesOf({ ...readsOf(store), ...writesOf(store) }, store)
    await repair?.()

    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await findByKey(store, creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await ledgerOf(store)).toStrictEqual(sampleEntries(3))
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('inserted')
    expect(await store.append(sampleEntries(4).slice(3))).toBe(1)
    expect(await headOf(store)).toStrictEqual(sampleEntries(4)[3])
    expect(await store.claimNextIdBlock('auctions')).toBe(2)
    const other = await otherHandle(subject)
    expect(await other.findAuction(auctionIdOf(2))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(await headOf(other)).toStrictEqual(sampleEntries(4)[3])
  })

  test('keeps what it reports as stored when it fails at that moment', async ({ store, breakStore }) => {
    const ledgers = range(1, 20).map((auctionId) => sampleEntries(3, { auctionId, afterId: auctionId * 10 }))
    const auctions = range(1, 20).map((id) => sampleAuction({ id, title: 'A desk' }))
    const appends = ledgers.map((ledger) => store.append(ledger).catch(() => undefined))
    const inserts = auctions.map((auction) => store.insertAuction(auction).catch(() => undefined))
    const repair = await breakStore?.()
    const [appended, inserted] = [await Promise.all(appends), await Promise.all(inserts)]
    await repair?.()
    for (const [index, auction] of auctions.entries()) {
      if (inserted[index] !== undefined) expect(await store.findAuction(auction.id)).toStrictEqual(auction)
      else await insertUntilStored(store, auction)
    }
    const found = await listed(store, canSearch(store) ? { words: ['desk'] } : {})
    expect(idsOf(found).toSorted((a, b) => a - b)).toEqual(range(1, 20))
    for (const [index, ledger] of ledgers.entries()) {
      if (appended[index] !== undefined) expect(appended[index]).toBe(3)
      else await sendUntilStored(store, ledger)
      expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger)
    }
  })
}

/** A store keeps its promises during and after a fault of one operation. */
function passing({ test, expect }: Suite, { when, begin }: Trouble): void {
  test(`never shows entries of an append that fails ${when} that are missing later`, async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const seen = new Set<number>()
    await begin(subject)
    await whileInFlight(
      outcomeOf(() => store.append(keyedEntries)),
      async () => {
        for (const handle of handles) {
          // The read itself may meet the fault.
          for (const { id } of await ledgerOf(handle).catch(() => [])) seen.add(id)
        }
      },
    )
    const inTheEnd = new Set<number>(idsOf(await store.findEntries(keyedEntries.map(({ id }) => id))))
    expect([...seen].filter((id) => !inTheEnd.has(id))).toEqual([])
  })

  test(`keeps the writes made at once with one that fails ${when}`, async (subject) => {
    const { store } = subject
    await begin(subject)
    const ids = [1, 2, 3, 4, 5, 6]
    const appends = ids.map((id) => outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })])))
    const inserts = ids.map((id) => outcomeOf(() => store.insertAuction(sampleAuction({ id }))))
    const [appended, inserted] = [await Promise.all(appends), await Promise.all(inserts)]
    const storedIds = ids.filter((_, index) => 'returned' in (appended[index] ?? {}))
    const insertedIds = ids.filter((_, index) => 'returned' in (inserted[index] ?? {}))
    // One write met the fault, and a write that follows from it may also have met it.
    expect(storedIds.length + insertedIds.length < 12 ? 'a failure' : 'no failure').toBe('a failure')
    for await (const handle of handlesOf(subject)) {
      const entries = idsOf(await handle.findEntries(storedIds.map((id) => sampleEntry({ id }).id)))
      expect(entries.toSorted()).toEqual(storedIds)
      const auctions = idsOf(await listed(handle))
      expect(insertedIds.filter((id) => !auctions.includes(id))).toEqual([])
    }
  })

  test(`keeps working after appends often fail ${when}`, async (subject) => {
    const { store } = subject
    // More times than most pools have connections. The entries differ, so that no append ends at a taken key.
    for (let id = 101; id <= 111; id++) {
      await begin(subject)
      await outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })]))
    }
    expect(await store.insertAuction(sampleAuction({ id: 1 }))).toBe('inserted')
    expect(await store.append([sampleEntry()])).toBe(1)
    expect(await store.claimNextIdBlock('entries')).toBe(1)
    expect(await ledgerOf(store)).toStrictEqual([sampleEntry()])
  })

  test(`keeps the old or the new position on the agenda when its change fails ${when}`, async (subject) => {
    const { store } = subject
    for (const id of [1, 2]) await store.insertAuction(sampleAuction({ id }))
    const startMs = sampleAuction().startTime.epochMs
    const { epochMs } = sampleAuction().endTime
    const updates = [due(1, epochMs + 10), due(2, epochMs + 20)]
    await begin(subject)
    await outcomeOf(() => store.updateAgenda(updates))
    for (const [id, timeMs] of await agendaOf(store)) {
      expect([startMs, epochMs + id * 10].filter((positionMs) => positionMs === timeMs)).toEqual([timeMs])
    }
    await store.updateAgenda(updates)
    expect(await agendaOf(store)).toEqual([
      [1, epochMs + 10],
      [2, epochMs + 20],
    ])
  })
}
