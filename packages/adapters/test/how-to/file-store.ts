import type { open } from 'node:fs/promises'
import { createGroupCommit, freePrefixes } from '@auction/domain/batching'
import { closable } from '@auction/domain/closable'
import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import * as port from '@auction/domain/store'
import { foundAuction, pageOfScan, parseStoredAuction, parseStoredEntry, storedVersion } from '@auction/domain/stored'
import { openJournal } from './journal.ts'

type Row = port.StoredAuction | Entry | { readonly kind: port.IdKind; readonly block: number }
/** One write is one line, so it is stored completely or not at all. */
type Line = { readonly rows?: readonly Row[]; readonly agenda?: readonly port.AgendaUpdate[] }
type Place = port.StagePlace & { readonly corrections: number }
type Listed = { readonly auction: port.StoredAuction; place: Place }

const placeAfter = (update: port.PlaceUpdate): Place => ({
  ...port.stageAfter(update),
  corrections: port.correctionsOf(update),
})

const isAfter = (next: Place, place: Place) =>
  next.corrections === place.corrections ? next.timeMs > place.timeMs : next.corrections > place.corrections

const placeOf = (auctionId: AuctionId, sequence: number) => `place ${auctionId} ${sequence}`

/** The keys of a row; no other row may have any of them. */
function keysOf(row: Row): readonly string[] {
  if ('block' in row) return [`block ${row.kind} ${row.block}`]
  const kind = 'sequence' in row ? 'entry' : 'auction'
  const keys = [`${kind} ${row.id}`]
  if ('sequence' in row) keys.push(placeOf(row.auctionId, row.sequence))
  if (row.requestKey !== undefined) keys.push(`${kind} key ${row.requestKey}`)
  return keys
}

function createIndex() {
  const rows = new Map<string, Row>()
  const auctions = new Map<AuctionId, Listed>()
  const lasts = new Map<AuctionId | port.IdKind, number>()

  /** Applies a line, when the file is opened and after the line is written. */
  function replay(text: string) {
    const line: Line = JSON.parse(text)
    for (const row of line.rows ?? []) {
      for (const key of keysOf(row)) rows.set(key, row)
      if ('endTime' in row) {
        auctions.set(row.id, { auction: row, place: { ...port.firstStage(row), corrections: 0 } })
      } else if ('sequence' in row) lasts.set(row.auctionId, row.sequence)
      else lasts.set(row.kind, Math.max(row.block, lasts.get(row.kind) ?? 0))
    }
    const { places, checks } = port.byKind(line.agenda ?? [])
    for (const update of [...places, ...checks]) {
      const listed = auctions.get(update.auctionId)
      if (!listed || !port.agendaStages.includes(listed.place.stage)) continue
      const { place } = listed
      if ('checkMs' in update) listed.place = { ...place, timeMs: Math.min(place.timeMs, update.checkMs) }
      else if (isAfter(placeAfter(update), place)) listed.place = placeAfter(update)
    }
  }
  return { rows, auctions, lasts, replay }
}

/** A store in one file, for one process. It neither searches titles nor lists the bids of a bidder. */
export async function openFileStore(path: string, openFile?: typeof open) {
  const { rows, auctions, lasts, replay } = createIndex()
  const lastOf = (id: AuctionId) => lasts.get(id) ?? 0
  const journal = await openJournal(path, replay, openFile)
  let lastWrite: Promise<unknown> = Promise.resolve()

  /** Writes one line at a time, first to the disk, then to memory, so that reads show nothing that may be lost. */
  function write(lineOf: () => Line): Promise<void> {
    const written = lastWrite.then(async () => {
      const text = JSON.stringify(lineOf())
      await journal.append(text)
      replay(text)
    })
    lastWrite = written.catch(() => undefined)
    return written
  }

  async function insert(lists: readonly (readonly Row[])[]) {
    let free = lists
    await write(() => {
      free = freePrefixes(lists, keysOf, (key) => rows.has(key))
      return { rows: free.flat().map((row) => ({ version: storedVersion, ...row })) }
    })
    return free.map(({ length }) => length)
  }
  const insertOne = async (row: Row) => (await insert([[row]]))[0] === 1

  /** Parses the rows with these keys, which checks and copies them. */
  const find = <Value>(keys: readonly string[], parse: (row: Row) => Value): readonly Value[] =>
    keys.flatMap((key) => rows.get(key) ?? []).map(parse)
  const findEntries = (keys: readonly string[]) => find(keys, parseStoredEntry)

  return closable(journal.close, {
    insertAuction: async (auction) => ((await insertOne(auction)) ? 'inserted' : 'taken'),
    findAuction: async (id) => find([`auction ${id}`], parseStoredAuction)[0],
    findAuctions: async (wanted) =>
      find(
        'ids' in wanted ? wanted.ids.map((id) => `auction ${id}`) : wanted.keys.map((key) => `auction key ${key}`),
        (row) => foundAuction(parseListed(row), 'requestKey' in row ? row.requestKey : undefined),
      ),
    listAuctions: (query) => pageOf([...auctions.values()], query),
    updateAgenda: (agenda) => write(() => ({ agenda })),
    append: createGroupCommit({ write: insert }),
    findHeads: async (ids) => findEntries(ids.map((id) => placeOf(id, lastOf(id)))),
    findEntries: async (ids) => findEntries(ids.map((id) => `entry ${id}`)),
    findEntriesByKey: async (keys) => findEntries(keys.map((key) => `entry key ${key}`)),
    async listEntries(id, { limit, before = Number.POSITIVE_INFINITY }) {
      const newest = Math.min(before - 1, lastOf(id))
      return findEntries(Array.from({ length: Math.min(limit, newest) }, (_, index) => placeOf(id, newest - index)))
    },
    async claimNextIdBlock(kind) {
      for (;;) {
        const block = (lasts.get(kind) ?? 0) + 1
        if (await insertOne({ kind, block })) return block
      }
    },
  })
}

function parseListed(row: Row) {
  const { description: _, ...listed } = parseStoredAuction(row)
  return listed
}

/** Whether an auction is in a list. */
const isIn = ({ auction, place }: Listed, { of }: port.ListSource) =>
  'stages' in of &&
  of.stages.includes(place.stage) &&
  auction.ownerId === (of.ownerId ?? auction.ownerId) &&
  auction.productId === (of.productId ?? auction.productId)

async function pageOf(auctions: readonly Listed[], query: port.AuctionQuery): Promise<port.AuctionPage> {
  const { order, limit, after, dueByMs = Number.POSITIVE_INFINITY, ownerId, productId } = query
  const compare = (a: port.AuctionPosition, b: port.AuctionPosition) =>
    (a.timeMs - b.timeMs || a.id - b.id) * (order === 'agenda' ? 1 : -1)
  const { source } = await port.shortestSource(query, async (sources) =>
    sources.map((each) => auctions.filter((listed) => isIn(listed, each)).length),
  )
  const rest = auctions
    .filter((listed) => isIn(listed, source))
    .map((listed) => {
      const timeMs = order === 'newest' ? listed.auction.createdAtMs : listed.place.timeMs
      return { ...listed, position: { order, timeMs, id: listed.auction.id } }
    })
    .filter(({ position }) => position.timeMs <= dueByMs && (after === undefined || compare(position, after) > 0))
    .toSorted((a, b) => compare(a.position, b.position))
  const scanned = rest.slice(0, port.maxScannedAuctions)
  const matching = scanned.filter(
    ({ auction, place }) =>
      port.stagesOf(query).includes(place.stage) &&
      auction.ownerId === (ownerId ?? auction.ownerId) &&
      auction.productId === (productId ?? auction.productId),
  )
  return pageOfScan({
    limit,
    rows: matching,
    scanEnd: scanned.length < rest.length ? scanned.at(-1)?.position : undefined,
    positionOf: ({ position }) => position,
    parse: ({ auction }) => parseListed(auction),
  })
}
