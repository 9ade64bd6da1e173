import type { Appended, CompleteStore, Store } from '@auction/domain/store'
import { sampleEntry } from '../../src/samples.ts'
import { leavingOpen, type StoreMutation, wrongCalls, wrongHandles, wrongSubject } from './planted.ts'
import { pause } from './prove-contract.ts'
import { remembering } from './subjects.ts'

const handles = 'reports the appends of every handle, if it has appendedSince'
const atOnce = 'reports every append at once with others, and of none that a read does not show'
const large = 'reports large appends that commit after later small ones'
const foreign = 'does not know what was appended after a mark of other data'
const cutLists = 'shows new data after a read of a full page'
const conflicts = 'rolls back and leaves nothing open when a key is taken'
const uncommitted = 'shows nothing that another session has stored and not committed'

/** What a wrong store keeps: the appends in the order of their numbers. */
type Numbered = Appended & { readonly number: number }

/**
 * A store that numbers appends with `store`, and reports those whose numbers are above the mark, unless it is wrong.
 */
function numbering(shared: { readonly appends: Numbered[]; begun: number; right: Store }): Partial<Store> {
  return {
    async append(entries) {
      shared.begun += 1
      const number = shared.begun
      // Every other append commits late, and so do large ones.
      const late = entries.length > 100 ? 20 : number % 2 === 0 ? 5 : 0
      for (let turns = 0; turns < late; turns++) await pause()
      const stored = await shared.right.append(entries)
      const last = entries[stored - 1]
      if (last !== undefined) shared.appends.push({ number, auctionId: last.auctionId, sequence: last.sequence })
      return stored
    },
    async appendedSince(mark) {
      const newest = Math.max(0, ...shared.appends.map(({ number }) => number))
      const appended = shared.appends.filter(({ number }) => number > Number(mark))
      return { mark: String(newest), appended: mark === undefined ? undefined : appended }
    },
  }
}

/** A store that reports the entries that it has stored itself. */
function listing(right: Store): Partial<Store> {
  const all: Appended[] = []
  return {
    async append(entries, options) {
      const stored = await right.append(entries, options)
      for (const { auctionId, sequence } of entries.slice(0, stored)) all.push({ auctionId, sequence })
      return stored
    },
    appendedSince: async (mark) => ({
      mark: String(all.length),
      appended: mark === undefined ? undefined : all.slice(Number(mark)),
    }),
  }
}

/**
 * A handle whose reads stay in the snapshot of a list that was cut at a full page, because that read was never
 * completed.
 */
function cuttingAtSnapshots(shared: CompleteStore): Partial<CompleteStore> {
  const read = remembering(shared.listEntries)
  let isCut = false
  return {
    listEntries: async (auctionId, query) => {
      const page = isCut ? await read(auctionId, query) : await shared.listEntries(auctionId, query)
      if (page.length === query.limit && !isCut) {
        await read(auctionId, query)
        isCut = true
      }
      return page
    },
  }
}

/** Bugs in what a handle shows of the writes of others. */
export const bugsInVisibility: readonly StoreMutation[] = [
  wrongHandles('reports only the appends of the same handle', [handles, atOnce], listing),
  wrongCalls('misses an append that commits after later ones', [atOnce, large], (right) =>
    numbering({ appends: [], begun: 0, right }),
  ),
  wrongCalls('knows of nothing after a mark of other data', foreign, ({ appendedSince }) => ({
    appendedSince: async (mark) => {
      const since = await appendedSince?.(mark)
      return since && { ...since, appended: since.appended ?? (mark === undefined ? undefined : []) }
    },
  })),
  wrongHandles('reads a snapshot after a full page', cutLists, cuttingAtSnapshots),
  {
    bug: 'leaves a transaction open after a taken key',
    makeSubject: () => leavingOpen(({ hasConflict }) => hasConflict),
    caughtBy: conflicts,
  },
  wrongSubject('shows what another session has not committed', uncommitted, ({ store, holdKeys }) => {
    let heldId = 0
    return {
      async holdKeys(id) {
        heldId = id
        return (await holdKeys?.(id)) ?? (async () => undefined)
      },
      store: {
        ...store,
        findHeads: async (ids) =>
          ids.some((id) => id === heldId) ? [sampleEntry({ id: heldId, auctionId: heldId })] : store.findHeads(ids),
      },
    }
  }),
]
