import type { StoreOperation } from '@auction/domain'
import type { AgendaUpdate, Entry } from '@auction/domain/store'
import { type StoreMutation, wrongCall, wrongCalls, wrongStep, wrongSteps } from '../planted.ts'
import type { CaughtBy } from '../prove-contract.ts'
import { type AnyCall, entryReads } from '../subjects.ts'

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
    // A copy is not frozen, unlike what the right store returns.
    const value = structuredClone(await call(...args))
    const said = JSON.stringify([args, value])
    if (!kept.has(said)) kept.set(said, value)
    return kept.get(said) ?? value
  }
}

/** Returns the same objects as before. */
const returningAgain = (operation: StoreOperation, caughtBy: CaughtBy) =>
  wrongCalls(`returns what it has returned before in ${operation}`, caughtBy, (right) => ({
    [operation]: keeping(right[operation] as AnyCall),
  }))

export const isolationMutations: readonly StoreMutation[] = [
  wrongStep('keeps the very objects that were passed in', [auctionIn, entriesIn], 'copyIn', (value) => value),
  wrongStep('keeps the very moments, events and states that were passed in', [auctionIn, entriesIn], 'copyIn', shallow),
  wrongStep('returns the very objects that it keeps', [auctionsOut, entriesOut], 'copyOut', (value) => value),
  wrongStep('returns the very moments, events and states that it keeps', [auctionsOut, entriesOut], 'copyOut', shallow),
  wrongSteps('freezes stored objects, but not deeply', [auctionsOut, entriesOut], {
    copyIn: (value) => {
      const copy = structuredClone(value)
      for (const part of Object.values(copy as object)) Object.freeze(part)
      return Object.freeze(copy)
    },
    copyOut: (value) => value,
  }),
  wrongSteps('freezes all but the latest end of a soft close', auctionsOut, {
    copyIn: (value) => frozenBut(value, 'latestEndTime'),
    copyOut: (value) => value,
  }),
  ...['automatic', 'leader', 'result'].map((part) =>
    wrongSteps(`freezes all but the ${part} of an entry`, entriesOut, {
      copyIn: (value) => frozenBut(value, part),
      copyOut: (value) => value,
    }),
  ),
  ...(['findAuction', 'findAuctions', 'listAuctions'] as const).map((operation) =>
    returningAgain(operation, auctionsOut),
  ),
  ...entryReads.map((operation) => returningAgain(operation, entriesOut)),
  wrongCall('adds a field to its arguments', asItWas, 'insertAuction', async (right, auction) => {
    const result = await right.insertAuction(auction)
    Object.assign(auction, { _id: auction.id })
    return result
  }),
  wrongCall('freezes the entries in its arguments', asItWas, 'append', async (right, entries) => {
    const stored = await right.append(entries)
    for (const { event, state } of entries) for (const part of [event, state]) Object.freeze(part)
    return stored
  }),
  wrongCall('freezes the moments of the auction in its arguments', asItWas, 'insertAuction', async (right, auction) => {
    const result = await right.insertAuction(auction)
    Object.freeze(auction.endTime)
    return result
  }),
  wrongCall('sorts the updates in its arguments', asItWas, 'updateAgenda', async (right, updates) => {
    await right.updateAgenda(updates)
    ;(updates as AgendaUpdate[]).sort((a) => ('endedMs' in a ? -1 : 1)) // As above.
  }),
  wrongCall('removes the keys of the entries in its arguments', asItWas, 'append', async (right, entries) => {
    const appended = await right.append(entries)
    for (const entry of entries) Reflect.deleteProperty(entry, 'requestKey')
    return appended
  }),
  wrongCall('empties the list of entries in its arguments', asItWas, 'append', async (right, entries) => {
    const appended = await right.append(entries)
    ;(entries as Entry[]).length = 0 // Changing the caller’s list is the bug.
    return appended
  }),
  wrongCall('sorts the ids in its arguments', asItWas, 'findHeads', (right, ids) =>
    right.findHeads((ids as (typeof ids)[number][]).sort((a, b) => a - b)),
  ),
]
