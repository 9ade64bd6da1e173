import type { AuctionId } from '../../../../src/ids.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import type { Store } from '../../../../src/store.ts'
import { createPlainStore } from '../../../support/plain-store.ts'
import { leavingOpen, perHandle, rightSubject, type StoreMutation } from '../planted.ts'
import { isHit, isMiss, remembering } from './remembering.ts'

const runs = 'runs against a second handle on the same data'
const auctions = 'shows an auction to another handle at once, where it was looked for in vain'
const lists = 'lists an auction through another handle at once, where the list was read before'
const blocks = 'shows a claimed block of ids to another handle at once'
const heads = 'shows a new head to another handle at once, where the last one was read'
const entries = 'shows an entry to another handle by its id and its key at once, where it was looked for in vain'
const cutLists = 'shows what is new to another handle where a list was cut at its limit'
const agenda = 'shows a changed agenda to another handle at once, where it was read before'
const ended = 'shows the end of an auction to another handle at once'
const conflicts = 'leaves nothing undone or open where a key was taken'
const later = 'shows everything to a handle that is opened later'

/** A handle that knows the heads of what it has read or appended itself, until an append of its own fails. */
function cachingHeads(shared: Store): Partial<Store> {
  const known = new Map<AuctionId, Entry>()
  return {
    append: async (appended) => {
      const stored = await shared.append(appended)
      for (const entry of appended.slice(0, stored)) known.set(entry.auctionId, entry)
      for (const { auctionId } of appended.slice(stored)) known.delete(auctionId)
      return stored
    },
    findHeads: async (ids) => {
      for (const head of await shared.findHeads(ids.filter((id) => !known.has(id)))) known.set(head.auctionId, head)
      return ids.flatMap((id) => known.get(id) ?? [])
    },
  }
}

/** A handle whose reads stay at the moment of a list that was cut, as the reading of that list has not come to its end. */
function cuttingAtSnapshots(shared: Store): Partial<Store> {
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

/** A handle that applies its own changes of the agenda to what it lists, and tells nobody of them. */
function changingAtHome(shared: Store): Partial<Store> {
  const dueMs = new Map<AuctionId, number>()
  return {
    updateAgenda: async (updates) => {
      for (const update of updates) if ('dueMs' in update) dueMs.set(update.auctionId, update.dueMs)
      await shared.updateAgenda(updates.filter((update) => 'endedMs' in update))
    },
    listAuctions: async (query) => {
      const { items, next } = await shared.listAuctions(query)
      if (query.order === 'newest') return { items, next }
      const own = items.map(({ auction, position }) => ({
        auction,
        position: { ...position, timeMs: dueMs.get(auction.id) ?? position.timeMs },
      }))
      return { items: own.toSorted((a, b) => a.position.timeMs - b.position.timeMs), next }
    },
  }
}

export const secondHandleMutations: readonly StoreMutation[] = [
  {
    bug: 'has no second handle, and does not say that it can’t have one',
    makeSubject: () => {
      const { openSecondHandle: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: [runs],
  },
  perHandle(
    'has a memory of its own in each handle',
    () => createPlainStore(),
    auctions,
    lists,
    blocks,
    heads,
    entries,
    ended,
    conflicts,
    later,
  ),
  perHandle(
    'remembers in each handle which auctions are not there',
    ({ findAuction }) => ({ findAuction: remembering(findAuction, isMiss) }),
    auctions,
  ),
  perHandle(
    'remembers in each handle which keys made no auction',
    ({ findAuctionByKey }) => ({ findAuctionByKey: remembering(findAuctionByKey, isMiss) }),
    auctions,
  ),
  perHandle(
    'remembers lists in each handle',
    ({ listAuctions }) => ({ listAuctions: remembering(listAuctions) }),
    lists,
    agenda,
  ),
  perHandle('changes the agenda in the memory of each handle', changingAtHome, agenda),
  perHandle(
    'remembers in each handle that no block is claimed',
    ({ highestIdBlock }) => ({ highestIdBlock: remembering(highestIdBlock, isMiss) }),
    blocks,
  ),
  perHandle(
    'remembers the highest block in each handle',
    ({ highestIdBlock }) => ({ highestIdBlock: remembering(highestIdBlock, isHit) }),
    blocks,
  ),
  perHandle(
    'remembers in each handle that an auction has no head',
    ({ findHeads }) => ({ findHeads: remembering(findHeads, isMiss) }),
    heads,
    entries,
  ),
  perHandle('remembers heads in each handle', cachingHeads, heads, ended),
  perHandle(
    'remembers lists of entries in each handle',
    ({ listEntries }) => ({ listEntries: remembering(listEntries) }),
    heads,
  ),
  perHandle(
    'remembers in each handle which entries are not there',
    ({ findEntries }) => ({ findEntries: remembering(findEntries, isMiss) }),
    entries,
  ),
  perHandle(
    'remembers in each handle which keys made no entry',
    ({ findEntriesByKey }) => ({ findEntriesByKey: remembering(findEntriesByKey, isMiss) }),
    entries,
  ),
  perHandle('goes on reading what was there when a limit cut its list', cuttingAtSnapshots, cutLists),
  {
    bug: 'leaves a transaction open where a key was taken',
    makeSubject: () => leavingOpen(({ hasConflict }) => hasConflict),
    caughtBy: [conflicts],
  },
  {
    bug: 'opens handles on nothing',
    makeSubject: () => ({ ...rightSubject(), openSecondHandle: async () => createPlainStore() }),
    caughtBy: [later],
  },
]
