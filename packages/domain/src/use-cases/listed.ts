import { type DirectoryLanes, directoryIds } from '../ledger/directory.ts'
import type { DirectoryEntry, Line } from '../ledger/directory-entry.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { withOutcome } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import type { RequestKey } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'

// What the creation and the list of registers and of sales share.

export type ListingParts<Event extends Line> = {
  /** The directory that gets the line. */
  readonly name: keyof typeof directoryIds
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly directory: Pick<DirectoryLanes<Event>, 'submit'>
  readonly store: Pick<Store<DirectoryEntry<Event>>, 'findEntriesByKey'>
}

/** Records the first entry of a new ledger, and returns its time. A refusal means that nothing was changed. */
export type CreateLedger = (id: AuctionId) => Promise<Result<{ readonly atMs: number }, unknown>>

type Creation<Refusal> = {
  readonly key: RequestKey | undefined
  readonly atMs: number
  readonly submitting: () => void
  /** Why nothing can be created any more. An earlier request with the key may have created it in time. */
  readonly refusalIfNew?: Refusal | undefined
}

/**
 * Creates a ledger, and lists it in its directory. The line commits it, so the ledger comes first: nothing is listed
 * without its ledger.
 * @param lineOf the line of the ledger with an id and a time of creation
 */
export async function createListed<Event extends Line, Refusal = never>(
  { name, ids, directory, store }: ListingParts<Event>,
  lineOf: (id: number, createdAtMs: number) => Event,
  createLedger: CreateLedger,
  { key, atMs, submitting, refusalIfNew }: Creation<Refusal>,
): Promise<Result<Event, LaneRefusal | Refusal>> {
  const directoryId = directoryIds[name]
  const list = async (id: number, createdAtMs: number): Promise<Result<Event, LaneRefusal>> => {
    const listed = await directory.submit(directoryId, { type: 'list', line: lineOf(id, createdAtMs) }, key, atMs)
    return listed.ok ? { ...listed, value: listed.value.event } : listed
  }
  const [made] = await store.findEntriesByKey(key === undefined ? [] : [key], { auctionIds: [directoryId] })
  if (made !== undefined) return list(made.event.id, made.event.createdAtMs)
  if (refusalIfNew !== undefined) return refused(refusalIfNew)
  const id = await ids.next()
  const first = await createLedger(id).catch(unlisted)
  // The only refusal of a ledger that has just got its id.
  if (!first.ok) return refused({ code: 'overloaded' })
  submitting()
  return list(id, first.value.atMs)
}

const unlisted = (error: unknown): never => {
  throw withOutcome(error, 'nothing-changed')
}

export type ListingQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly before?: number | undefined
  readonly signal?: CallSignal | undefined
}

/** The lines of a directory, newest first. */
export async function listLines<Event extends Line>(
  store: Pick<Store<DirectoryEntry<Event>>, 'listEntries'>,
  name: keyof typeof directoryIds,
  query: ListingQuery,
): Promise<Page<Event, number>> {
  requirePageSize(query)
  const { limit, before, signal } = query
  const entries = await store.listEntries(directoryIds[name], { limit: limit + 1, before, signal })
  const { items, next } = pageOf(entries, limit, ({ sequence }) => sequence)
  return { items: items.map(({ event }) => event), next }
}
