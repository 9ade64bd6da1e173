import type { CurrentView } from '@auction/domain'
import { createBatcher } from '@auction/domain/batching'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result } from '@auction/domain/result'
import { type EventStream, encodeFrame } from '@auction/host/streams'
import type { Refusal } from '../answers/refusals.ts'
import { auctionViewResource } from '../answers/resources.ts'
import type { FeedParts } from './feed-parts.ts'

type Snapshot = { readonly view: CurrentView; readonly encoded: Buffer }

/** Snapshots of an auction, each read and encoded once for the clients that connect at the same time. */
export function createSnapshots(auctionId: AuctionId, { service, clock, publicViewer }: FeedParts) {
  // A read begins after the request for it, so it includes what was stored before.
  const reads = createBatcher<undefined, Result<Snapshot, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    async run(clients) {
      const now = isoOf(clock.nowMs())
      const read = await service.readAuction(auctionId)
      if (!read.ok) return clients.map(() => read)
      const { sequence } = read.value
      const data = { now, sequence, auction: auctionViewResource(read.value, publicViewer) }
      const snapshot = { view: read.value, encoded: encodeFrame({ event: 'snapshot', id: sequence, data }) }
      return clients.map(() => accepted(snapshot))
    },
  })
  return { read: (): Promise<Result<Snapshot, Refusal>> => reads.add(undefined) }
}

/**
 * Writes the snapshot, unless the ledger has the position of the client, and ends the stream if nothing follows the snapshot. Returns
 * the position from which the client continues.
 */
export function writeSnapshot(stream: EventStream, { view, encoded }: Snapshot, position: number | undefined): number {
  const { sequence, result } = view
  if (position !== undefined && position <= sequence) return position
  if (position !== undefined) stream.write(resetFrame(position, sequence))
  stream.write(encoded)
  if (result !== undefined) stream.end('over')
  return sequence
}

/** The ledger does not have the position, so the client continues from a snapshot. */
const resetFrame = (from: number, to: number): Buffer =>
  encodeFrame({ event: 'reset', data: { reason: 'position-ahead', from, to } })
