import type { Entry } from '../auction/entry.ts'
import type { FixedLimits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { AppendOptions, CallSignal, Store } from '../store/store.ts'
import type { BidId } from '../values/ids.ts'
import { type Settled, sendUntilSettled } from './settled-write.ts'

/** The outcome of an append. */
export type Written = Settled & {
  /** After a taken key: the auction's last entry. */
  readonly head: Entry | undefined
}

export type WriteContext = {
  readonly store: Pick<Store, 'append' | 'findEntries' | 'findHeads'>
  readonly limits: Pick<FixedLimits, 'maxTries'>
  readonly observer: SafeObserver | undefined
}

type WriteOptions = AppendOptions & { readonly signal: CallSignal }

/** Appends at least one entry of one auction, and determines the outcome. */
export async function writeEntries(
  context: WriteContext,
  entries: readonly Entry[],
  options: WriteOptions,
): Promise<Written> {
  const { store, limits, observer } = context
  let head: Entry | undefined
  const settled = await sendUntilSettled(
    { maxTries: limits.maxTries, observer },
    {
      what: 'entries',
      count: entries.length,
      send: (from) => append(context, entries.slice(from), options),
      findOwn: (from) => countOwn(store, entries.slice(from)),
      async findOwnBehindTakenKey(from) {
        const rest = entries.slice(from)
        const [next] = rest
        if (next === undefined) return 0
        ;[head] = await store.findHeads([next.auctionId])
        return mayBeOwn(head, next) ? countOwn(store, rest) : 0
      },
      signal: options.signal,
    },
  )
  return { ...settled, head }
}

async function append(
  { store, observer }: WriteContext,
  entries: readonly Entry[],
  options: WriteOptions,
): Promise<number> {
  const end = observer?.onAppend({ entries })
  try {
    const stored = await store.append(entries, options)
    end?.(stored === entries.length ? { outcome: 'stored' } : { outcome: 'conflict', stored })
    return stored
  } catch (error) {
    end?.({ outcome: 'failed', error })
    throw error
  }
}

/** A head with the sequence of an entry identifies the writer. A later head may follow the entry or another one. */
const mayBeOwn = (head: Entry | undefined, next: Entry): boolean =>
  head !== undefined && head.sequence >= next.sequence && (head.sequence > next.sequence || head.id === next.id)

/** The number of stored entries, from the first, of one auction. */
async function countOwn({ findEntries }: Pick<Store, 'findEntries'>, entries: readonly Entry[]): Promise<number> {
  const auctionIds = entries.slice(0, 1).map(({ auctionId }) => auctionId)
  const found = await findEntries(
    entries.map(({ id }) => id),
    { auctionIds },
  )
  const entryOf = new Map<BidId, Entry>(found.map((entry) => [entry.id, entry]))
  const firstOther = entries.findIndex((entry) => !isSameEntry(entry, entryOf.get(entry.id)))
  return firstOther === -1 ? entries.length : firstOther
}

/** Whether two entries are the same. Ids are unique across processes. */
const isSameEntry = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && a.id === b.id && a.auctionId === b.auctionId && a.sequence === b.sequence && a.atMs === b.atMs
