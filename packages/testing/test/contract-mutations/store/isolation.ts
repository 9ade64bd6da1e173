import type { AgendaUpdate, Entry, Store } from '@auction/domain/store'
import { replaced, type StoreMutation, swapped } from '../planted.ts'

const auctionIn = 'keeps a stored auction when its argument changes later'
const entriesIn = 'keeps stored entries when their arguments change later'
const auctionsOut = 'keeps a stored auction when a returned auction changes'
const entriesOut = 'keeps stored entries when returned entries change'
const asItWas = 'does not change its arguments'

const shallow = <Value>(value: Value): Value => ({ ...value })

/** Freezes a copy deeply, except for the members with one name. */
function frozenBut<Value>(value: Value, name: string): Value {
  const copy = structuredClone(value)
  freezeBut(copy, name)
  return copy
}

function freezeBut(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) if (key !== name) freezeBut(part, name)
  Object.freeze(value)
}

/** Returns the previous result of an operation again while it is equal. */
function keeping<Args extends readonly unknown[], Value>(call: (...args: Args) => Promise<Value>) {
  const kept = new Map<string, Value>()
  return async (...args: Args): Promise<Value> => {
    const value = await call(...args)
    const said = JSON.stringify([args, value])
    if (!kept.has(said)) kept.set(said, value)
    return kept.get(said) ?? value
  }
}

/** Returns the same objects as before. */
const returningAgain = (
  operation: keyof Store,
  breaks: (right: Store) => Partial<Store>,
  ...caughtBy: readonly string[]
) => replaced(`returns what it has returned before in ${operation}`, breaks, ...caughtBy)

export const isolationMutations: readonly StoreMutation[] = [
  swapped('keeps the very objects that were passed in', { copyIn: (value) => value }, auctionIn, entriesIn),
  swapped('keeps the very moments, events and states that were passed in', { copyIn: shallow }, auctionIn, entriesIn),
  swapped('returns the very objects that it keeps', { copyOut: (value) => value }, auctionsOut, entriesOut),
  swapped('returns the very moments, events and states that it keeps', { copyOut: shallow }, auctionsOut, entriesOut),
  swapped(
    'freezes stored objects, but not deeply',
    {
      copyIn: (value) => {
        const copy = structuredClone(value)
        for (const part of Object.values(copy as object)) Object.freeze(part)
        return Object.freeze(copy)
      },
      copyOut: (value) => value,
    },
    auctionsOut,
    entriesOut,
  ),
  swapped(
    'freezes all but the latest end of a soft close',
    { copyIn: (value) => frozenBut(value, 'latestEndTime'), copyOut: (value) => value },
    auctionsOut,
  ),
  ...['automatic', 'leader', 'result'].map((part) =>
    swapped(
      `freezes all but the ${part} of an entry`,
      { copyIn: (value) => frozenBut(value, part), copyOut: (value) => value },
      entriesOut,
    ),
  ),
  returningAgain('findAuction', (right) => ({ findAuction: keeping(right.findAuction) }), auctionsOut),
  returningAgain('findAuctionByKey', (right) => ({ findAuctionByKey: keeping(right.findAuctionByKey) }), auctionsOut),
  returningAgain('findAuctions', (right) => ({ findAuctions: keeping(right.findAuctions) }), auctionsOut),
  returningAgain('listAuctions', (right) => ({ listAuctions: keeping(right.listAuctions) }), auctionsOut),
  returningAgain('findHeads', (right) => ({ findHeads: keeping(right.findHeads) }), entriesOut),
  returningAgain('findEntries', (right) => ({ findEntries: keeping(right.findEntries) }), entriesOut),
  returningAgain('findEntriesByKey', (right) => ({ findEntriesByKey: keeping(right.findEntriesByKey) }), entriesOut),
  returningAgain('listEntries', (right) => ({ listEntries: keeping(right.listEntries) }), entriesOut),
  returningAgain('listBidderEntries', (right) => ({ listBidderEntries: keeping(right.listBidderEntries) }), entriesOut),
  replaced(
    'adds a field to its arguments',
    (right) => ({
      insertAuction: async (auction) => {
        const result = await right.insertAuction(auction)
        Object.assign(auction, { _id: auction.id })
        return result
      },
    }),
    asItWas,
  ),
  replaced(
    'freezes the entries in its arguments',
    (right) => ({
      append: async (entries) => {
        const stored = await right.append(entries)
        for (const { event, state } of entries) for (const part of [event, state]) Object.freeze(part)
        return stored
      },
    }),
    asItWas,
  ),
  replaced(
    'freezes the moments of the auction in its arguments',
    (right) => ({
      insertAuction: async (auction) => {
        const result = await right.insertAuction(auction)
        Object.freeze(auction.endTime)
        return result
      },
    }),
    asItWas,
  ),
  replaced(
    'sorts the updates in its arguments',
    (right) => ({
      updateAgenda: async (updates) => {
        await right.updateAgenda(updates)
        ;(updates as AgendaUpdate[]).sort((a) => ('endedMs' in a ? -1 : 1)) // As above.
      },
    }),
    asItWas,
  ),
  replaced(
    'removes the keys of the entries in its arguments',
    (right) => ({
      append: async (entries) => {
        const appended = await right.append(entries)
        for (const entry of entries) Reflect.deleteProperty(entry, 'requestKey')
        return appended
      },
    }),
    asItWas,
  ),
  replaced(
    'empties the list of entries in its arguments',
    (right) => ({
      append: async (entries) => {
        const appended = await right.append(entries)
        ;(entries as Entry[]).length = 0 // Changing the caller’s list is the bug.
        return appended
      },
    }),
    asItWas,
  ),
  replaced(
    'sorts the ids in its arguments',
    (right) => ({
      findHeads: (ids) => right.findHeads((ids as (typeof ids)[number][]).sort((a, b) => a - b)), // As above.
    }),
    asItWas,
  ),
]
