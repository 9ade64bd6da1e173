import { createMemoryStore } from '@auction/adapters/memory'
import { isUnreadableStored, StoreUnavailableError } from '@auction/domain/errors'
import type { CompleteStore, Entry, Store } from '@auction/domain/store'
import { leavingOpen, type StoreMutation, wrongOnFailure, wrongSubject } from './planted.ts'
import { pause } from './prove-contract.ts'
import { away, faults, mapOperations, type Power } from './subjects.ts'

const causes = Object.keys(faults).map((fault) => `because of ${fault}`)
const whenever = ['while it is unavailable', ...causes]
const allOrNone = (what: string) => causes.map((cause) => `${what} fails ${cause} for all handles or for none`)
const agendas = causes.map((cause) => `keeps the old or the new position on the agenda when its change fails ${cause}`)
const shownDuring = causes.map((cause) => `never shows entries of an append that fails ${cause} that are missing later`)
const keepsOthers = causes.map((cause) => `keeps the writes made at once with one that fails ${cause}`)
const keepsWorking = causes.map((cause) => `keeps working after appends often fail ${cause}`)
const failedReads = whenever.map((when) => `fails every read with the code store-unavailable and a cause ${when}`)
const secretsOf = (what: string) => `reveals no reserve, no maximum and no key in the errors of ${what}`
const secretWrites = whenever.map((when) => secretsOf(`writes that fail ${when}`))
const secretWaits = ['because another session holds their keys', 'while its server hangs'].map((when) =>
  secretsOf(`writes that fail ${when}`),
)
const damages = ['stored under another version', 'stored with an invalid field', 'stored as text that is not JSON']
const secretData = damages.map((which) => secretsOf(`data ${which}`))
const auctionsLost = damages.map((which) => `fails for an auction that is ${which}, and omits it from lists`)
const entriesLost = damages.map((which) => `fails for an entry that is ${which}, and reads the other entries`)

/** What a store does before an append fails. */
const beforeFailure =
  (react: (right: CompleteStore, entries: readonly Entry[]) => Promise<unknown>) =>
  (right: CompleteStore): Partial<Store> => ({
    append: (entries) =>
      right.append(entries).catch(async (error: unknown) => {
        await react(right, entries)
        throw error
      }),
  })

/** A store that shows entries before they are stored, and hides them again if that fails. */
function showsTooEarly(right: Store, power: Power): Partial<Store> {
  const early = createMemoryStore()
  let underWay: readonly Entry[] = []
  return {
    append: async (entries) => {
      const isFailing = power.fault !== undefined
      underWay = entries
      await early.append(entries)
      if (isFailing) await pause()
      underWay = []
      if (!isFailing) return right.append(entries)
      power.fault = undefined
      throw away()
    },
    listEntries: (auctionId, query) => (underWay.length > 0 ? early : right).listEntries(auctionId, query),
  }
}

/** A store that never returns a connection to its pool after a failure on it. */
function runsOut(right: Store): Partial<Store> {
  let left = 10
  return {
    append: async (entries) => {
      if (left === 0) throw away()
      return right.append(entries).catch((error: unknown) => {
        left -= 1
        throw error
      })
    },
  }
}

/** A store with one transaction for all concurrent writes: if one of them fails, the others are rolled back. */
function undoesOthers(right: Store): Partial<Store> {
  let isUndone: Promise<boolean> | undefined
  return {
    append: async (entries) => {
      if (isUndone !== undefined && (await isUndone)) return entries.length
      const appended = right.append(entries)
      isUndone ??= appended.then(
        () => false,
        () => true,
      )
      return appended
    },
    insertAuction: async (auction) => ((await isUndone) ? 'inserted' : right.insertAuction(auction)),
  }
}

/** A store that returns a block again after a claim has failed. */
function repeatsBlock(right: CompleteStore, power: Power): Partial<CompleteStore> {
  let hasFailed = false
  let last: number | undefined
  return {
    claimNextIdBlock: async (kind) => {
      hasFailed ||= power.isOff
      if (!hasFailed || last === undefined) last = await right.claimNextIdBlock(kind)
      return last
    },
  }
}

/** Fails with a cause that has the values of the write. */
const revealing =
  <Args extends readonly unknown[], Value>(
    write: (...args: Args) => Promise<Value>,
    causeOf: (values: string) => Error,
  ): ((...args: Args) => Promise<Value>) =>
  (...args) =>
    write(...args).catch(() => {
      throw new StoreUnavailableError('the write failed', { cause: causeOf(JSON.stringify(args)) })
    })

const inStatement = (values: string) => new Error(`INSERT INTO auctions VALUES (${values}) failed`)
const inHex = (values: string) => new Error(`the parameters are 0x${Buffer.from(values).toString('hex')}`)
const inHiddenProperty = (values: string) =>
  Object.defineProperty(new Error('the statement failed'), 'parameters', {
    value: [{ bytes: new TextEncoder().encode(values) }],
  })

/** A store that waits for its server without a time limit. */
const waiting = wrongSubject(
  'waits for its server without a time limit',
  'fails every write within 10 s while its server hangs, and works again after that',
  ({ store }) => {
    let resumed = Promise.resolve()
    return {
      store: mapOperations(store, (call) => async (...args) => {
        await resumed
        return call(...args)
      }),
      async halt() {
        const { promise, resolve } = Promise.withResolvers<void>()
        resumed = promise
        return async () => resolve()
      },
    }
  },
)

/** A store whose reads return something else where their data is unreadable. */
const readingAnyway = (bug: string, caughtBy: readonly string[], instead: (name: string, error: object) => unknown) =>
  wrongSubject(bug, caughtBy, ({ store }) => ({
    store: mapOperations(
      store,
      (call, name) =>
        (...args) =>
          call(...args).catch((error: unknown) => {
            if (!isUnreadableStored(error)) throw error
            return instead(name, error) as never // The bug.
          }),
    ),
  }))

/** Bugs that show when a call fails: because of a fault, a server that hangs, a lock, or unreadable data. */
export const bugsOnFailure: readonly StoreMutation[] = [
  {
    bug: 'leaves a transaction open after a fault',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: [
      'works again after it recovers, and has kept its data',
      ...allOrNone('stores an auction whose insert'),
      ...allOrNone('claims a block of ids whose claim'),
    ],
  },
  wrongOnFailure('finds nothing where it cannot look', failedReads, (right, power) => ({
    listEntries: async (...query) => {
      const isTroubled = power.isOff || power.fault !== undefined
      power.fault = undefined
      return isTroubled ? [] : right.listEntries(...query)
    },
  })),
  wrongOnFailure(
    'returns a block twice after a failed claim',
    'claims a block of ids whose claim fails while it is unavailable for all handles or for none',
    repeatsBlock,
  ),
  wrongOnFailure(
    'stores the end of an append that failed, and not its beginning',
    'stores a prefix of the entries whose append fails because of a full disk, the same for all handles',
    beforeFailure((right, entries) => right.append(entries.slice(1).map((entry) => ({ ...entry, sequence: 1 })))),
  ),
  wrongOnFailure('removes an auction from the agenda after a failed change', agendas, ({ updateAgenda }) => ({
    updateAgenda: (updates) =>
      updateAgenda(updates).catch(async (error: unknown) => {
        await updateAgenda(updates.map(({ auctionId }) => ({ auctionId, endedMs: 0, outcome: 'sold' })))
        throw error
      }),
  })),
  wrongOnFailure(
    'reports entries as stored before they are',
    'keeps what it reports as stored when it fails at that moment',
    (right, power) => ({
      append: async (entries) => {
        if (power.isOff) throw away()
        const copies = structuredClone(entries)
        void pause().then(() => (power.isOff ? undefined : right.append(copies)))
        return entries.length
      },
    }),
  ),
  wrongOnFailure('keeps a connection for each write that fails', keepsWorking, runsOut),
  wrongOnFailure('rolls back the concurrent writes of others when a write fails', keepsOthers, undoesOthers),
  wrongOnFailure('shows entries before they are stored, and hides them again', shownDuring, showsTooEarly),

  waiting,
  wrongSubject(
    'reports a lock time-out of an append as taken',
    'fails writes whose keys another session holds, and never reports them as taken',
    ({ store }) => ({
      store: { ...store, append: (entries, options) => store.append(entries, options).catch(() => 0) },
    }),
  ),

  wrongOnFailure('reveals the statement of an append in a cause', secretWrites, ({ append }) => ({
    append: revealing(append, inStatement),
  })),
  wrongOnFailure('reveals the parameters of an insert in a hidden property', secretWrites, ({ insertAuction }) => ({
    insertAuction: revealing(insertAuction, inHiddenProperty),
  })),
  wrongOnFailure('reveals the key of an append in hexadecimal digits', secretWrites, ({ append }) => ({
    append: revealing(append, inHex),
  })),
  wrongSubject('reveals the statement of a write that waits too long', secretWaits, ({ store }) => ({
    store: { ...store, append: revealing(store.append, inStatement) },
  })),

  readingAnyway('treats what it cannot read as missing', [...auctionsLost, ...entriesLost], (name) =>
    name === 'findAuction' ? undefined : [],
  ),
  readingAnyway('reveals unreadable data in its error', secretData, (_name, error) => {
    throw Object.assign(error, { cause: 'key-of-a-request' })
  }),
]
