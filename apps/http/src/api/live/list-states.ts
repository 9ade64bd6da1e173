import { maxPageSize } from '@auction/domain'
import type { ListedAuction } from '@auction/domain/auction'
import { inGroups } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result } from '@auction/domain/result'
import { type EventStream, encodeFrame } from '@auction/host/streams'
import type { Refusal } from '../responses/refusals.ts'
import { stateResource } from '../responses/stream-resources.ts'
import type { FeedParts } from './feed-parts.ts'

/** How much a reader gets at once, so that little is unread if it stops. */
const maxBytesAtOnce = 64 * 1024

/** The state of an auction, encoded once for all readers. */
type State = {
  readonly auction: ListedAuction
  readonly sequence: number
  readonly isOver: boolean
  readonly encoded: Buffer
}
export type States = ReadonlyMap<AuctionId, State>

/** Reads the states of auctions, as far as they exist, page by page. */
export async function readStates(
  ids: readonly AuctionId[],
  { service, clock, publicViewer }: FeedParts,
): Promise<Result<States, Refusal>> {
  const states = new Map<AuctionId, State>()
  for (const some of inGroups(ids, maxPageSize)) {
    const now = isoOf(clock.nowMs())
    const read = await service.listAuctions({ ids: some, seesPrivate: true })
    if (!read.ok) return read
    for (const view of read.value.items) {
      const { auction, sequence, result } = view
      const encoded = encodeFrame({ event: 'auction', data: { now, ...stateResource(view, publicViewer) } })
      states.set(auction.id, { auction, sequence, isOver: result !== undefined, encoded })
    }
  }
  return accepted(states)
}

/** A reader of several auctions. It has no buffer: the sequences that it has show what it lacks. */
export type ListReader = {
  /** Undefined until the first states are read. */
  stream: EventStream | undefined
  /** The sequences of the newest states that it has, -1 for none, of the auctions that are not over. */
  readonly shown: Map<AuctionId, number>
  /** Whether it did not keep up and lacks states, which are read again when it does. */
  hasMissed: boolean
}

/**
 * Writes the states that a reader lacks, as far as it keeps up. An auction that is over is forgotten, and the stream
 * ends if it was the last.
 */
export function writeStates(
  reader: ListReader,
  states: States,
  forget: (reader: ListReader, id: AuctionId) => void,
): void {
  const { stream, shown } = reader
  if (stream === undefined) return
  let frames: Buffer[] = []
  let bytes = 0
  const flush = () => {
    const [first] = frames
    if (first !== undefined) stream.write(frames.length === 1 ? first : Buffer.concat(frames, bytes))
    frames = []
    bytes = 0
  }
  for (const [id, sequence] of shown) {
    const state = states.get(id)
    if (state === undefined || state.sequence <= sequence) continue
    if (bytes >= maxBytesAtOnce) flush()
    reader.hasMissed ||= !stream.isReady()
    if (reader.hasMissed) break
    frames.push(state.encoded)
    bytes += state.encoded.length
    if (state.isOver) forget(reader, id)
    else shown.set(id, state.sequence)
  }
  flush()
  if (shown.size > 0) return
  // Clients do not reconnect after this `bye`.
  stream.write(encodeFrame({ event: 'bye', data: { reason: 'over' } }))
  stream.end('over')
}
