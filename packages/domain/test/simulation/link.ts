import { StoreUnavailableError } from '../../src/store/errors.ts'
import type { Entry } from '../../src/store/store.ts'
import type { Chance } from './chance.ts'
import type { DeliveredStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

/** The probability of each fault per call, in percent. */
export type Faults = {
  readonly lostRequest: number
  readonly lostReply: number
  /** The caller times out, and the call takes effect later. */
  readonly late: number
  /** The call takes effect a second time, without a second reply. */
  readonly duplicated: number
  /** As drivers do: a write whose reply is lost is sent again, and the second reply counts. */
  readonly repeated: number
  /** Only part of an append takes effect before the connection breaks. */
  readonly halfApplied: number
  /** The caller never receives a reply, whether the call takes effect or not. */
  readonly hanging: number
}

export const noFaults: Faults = {
  lostRequest: 0,
  lostReply: 0,
  late: 0,
  duplicated: 0,
  repeated: 0,
  halfApplied: 0,
  hanging: 0,
}

/** The connection between one process and the store. */
export type Link = {
  faults: Faults
  isCut: boolean
  /** Like a cut that is not detected: no call receives a reply. */
  isStuck: boolean
  /** The maximum time in one direction, in milliseconds. */
  slownessMs: number
}

/** The time after which a broken connection is detected. */
const breakMs = 50
/** The maximum further delay until a late call takes effect. */
const latestMs = 2_000

/** A store that takes the appends of several auctions in one call. */
export type LinkedStore = Omit<DeliveredStore, 'append'> & {
  readonly writeGroup: (appends: readonly (readonly Entry[])[]) => Promise<readonly number[]>
}

/** The store as a process sees it: every call takes time, and may be lost, late, repeated or cut in half. */
export function createLinkedStore(store: DeliveredStore, link: Link, chance: Chance, time: VirtualTime): LinkedStore {
  const { checkpoints: kept, appendedSince } = store
  const way = () => time.sleep(chance.int(1, link.slownessMs))

  async function broken(): Promise<never> {
    await time.sleep(breakMs)
    throw new StoreUnavailableError('the simulated connection is broken')
  }

  async function read<Value>(ask: () => Promise<Value>): Promise<Value> {
    const { lostRequest, lostReply, hanging } = link.faults
    if (link.isCut || chance.percent(lostRequest)) return broken()
    if (link.isStuck || chance.percent(hanging)) return never()
    await way()
    const response = await ask()
    if (link.isCut || chance.percent(lostReply)) return broken()
    await way()
    return response
  }

  async function write<Value>(apply: () => Promise<Value>, applyHalf = apply): Promise<Value> {
    const { late, duplicated, repeated, halfApplied, lostRequest, lostReply, hanging } = link.faults
    if (link.isCut || chance.percent(lostRequest)) return broken()
    if (chance.percent(late)) {
      applyLater(apply, breakMs + chance.int(0, chance.percent(50) ? 100 : latestMs))
      return broken()
    }
    if (link.isStuck || chance.percent(hanging)) {
      if (chance.percent(50)) applyLater(apply, chance.int(0, latestMs))
      return never()
    }
    await way()
    if (chance.percent(halfApplied)) {
      await applyHalf()
      return broken()
    }
    let response = await apply()
    if (chance.percent(duplicated)) applyLater(apply, chance.int(1, latestMs))
    if (chance.percent(repeated)) {
      await way()
      response = await apply()
    }
    if (link.isCut || chance.percent(lostReply)) return broken()
    await way()
    return response
  }

  function applyLater(apply: () => Promise<unknown>, ms: number): void {
    // The result reaches no caller.
    void time.sleep(ms).then(() => apply().catch(() => {}))
  }

  return {
    insertAuction: (auction) => write(() => store.insertAuction(auction)),
    updateAgenda: (updates) => write(() => store.updateAgenda(updates)),
    addTitleWords: (id, words) => write(() => store.addTitleWords(id, words)),
    writeGroup: (appends) => {
      const appendAll = (lists: typeof appends) => Promise.all(lists.map((entries) => store.append(entries)))
      const flat = appends.flat()
      const applyHalf = () => {
        const kept = new Set(flat.slice(0, chance.int(1, flat.length)))
        return appendAll(appends.map((entries) => entries.filter((entry) => kept.has(entry))))
      }
      return write(() => appendAll(appends), applyHalf)
    },
    claimNextIdBlock: (kind) => write(() => store.claimNextIdBlock(kind)),
    findAuction: (id) => read(() => store.findAuction(id)),
    findAuctions: (wanted) => read(() => store.findAuctions(wanted)),
    listAuctions: (query) => read(() => store.listAuctions(query)),
    findHeads: (ids) => read(() => store.findHeads(ids)),
    findEntries: (ids) => read(() => store.findEntries(ids)),
    findEntriesByKey: (keys) => read(() => store.findEntriesByKey(keys)),
    listEntries: (id, query) => read(() => store.listEntries(id, query)),
    listBidderEntries: (id, query) => read(() => store.listBidderEntries(id, query)),
    ...(appendedSince && { appendedSince: (mark) => read(() => appendedSince(mark)) }),
    checkpoints: {
      save: (checkpoints) => write(() => kept.save(checkpoints)),
      find: (ids) => read(() => kept.find(ids)),
      list: (query) => read(() => kept.list(query)),
      remove: (keys) => write(() => kept.remove(keys)),
    },
  }
}

const never = () => new Promise<never>(() => {})
