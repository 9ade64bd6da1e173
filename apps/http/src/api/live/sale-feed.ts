import type { SaleId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { Problem } from '@auction/host/responses'
import { type EventStream, encodeFrame, type StreamSource, takeTurn } from '@auction/host/streams'
import { problemOf, type Refusal } from '../responses/refusals.ts'
import type { FeedParts } from './feed-parts.ts'
import { createLotReads } from './lot-reads.ts'
import { createSaleLines, type SaleLines } from './sale-lines.ts'

export type SaleFeed = ReturnType<typeof createSaleFeed>

/** A reader of a sale. It has no buffer: what it has shows what it lacks. */
type Reader = {
  /** Undefined until the lines are read. */
  stream: EventStream | undefined
  /** The last lot of the first lines that it has; 0 for none, undefined after the last. */
  lot: number | undefined
  /** The revision of the last change that it has. */
  revision: number
}

/** Returns the next frame of a reader, and notes that it has it; undefined if it has everything. */
function takeFrame(reader: Reader, lines: SaleLines): Buffer | undefined {
  if (reader.lot !== undefined) {
    const next = lines.afterLot(reader.lot)
    reader.lot = next?.through
    return next?.encoded ?? lines.encodeReady()
  }
  const next = lines.afterRevision(reader.revision)
  reader.revision = next?.through ?? reader.revision
  return next?.encoded
}

/** Writes what a reader lacks, as far as it keeps up, and ends its stream after the last result. */
function write(reader: Reader, lines: SaleLines): void {
  const { stream } = reader
  while (stream?.isReady()) {
    const frame = takeFrame(reader, lines)
    if (frame !== undefined) {
      stream.write(frame)
      continue
    }
    if (!lines.isOver()) return
    // Clients do not reconnect after this `bye`.
    stream.write(encodeFrame({ event: 'bye', data: { reason: 'over' } }))
    stream.end('over')
  }
}

/**
 * A sale for all readers of this server: its lots are read and encoded once. It ends when the last reader leaves, or
 * when its lots cannot be read at the beginning.
 */
export function createSaleFeed(saleId: SaleId, parts: FeedParts, onEnd: () => void) {
  const lines = createSaleLines(saleId, parts)
  const readers = new Set<Reader>()
  const reads = createLotReads(saleId, parts, lines, writeToAll)
  let starting: Promise<Result<void, Refusal>> | undefined
  let isRead = false

  /** Pauses for other work. */
  async function writeToAll(): Promise<void> {
    await Promise.all([...readers].map(writeInTurn))
  }

  const writeInTurn = (reader: Reader) => takeTurn().then(() => write(reader, lines))

  async function start(): Promise<Result<void, Refusal>> {
    try {
      const read = await reads.start()
      isRead = read.ok
      return read
    } finally {
      if (!isRead) end()
    }
  }

  function end(): void {
    reads.close()
    onEnd()
  }

  function begin(reader: Reader, stream: EventStream): void {
    reader.stream = stream
    reader.revision = lines.revision()
    stream.write(lines.encodeSale())
    void writeInTurn(reader)
  }

  return {
    /** The number of lots; undefined until they are read. */
    lotCount: (): number | undefined => (isRead ? lines.lotCount() : undefined),
    /** The stream begins with the lines of all lots. */
    subscribe(): StreamSource {
      const reader: Reader = { stream: undefined, lot: 0, revision: 0 }
      readers.add(reader)
      return {
        async read(): Promise<Result<(stream: EventStream) => void, Problem>> {
          starting ??= start()
          const started = await starting
          if (!started.ok) return refused(problemOf(started.refusal))
          return accepted((stream: EventStream) => begin(reader, stream))
        },
        resume: () => void writeInTurn(reader),
        leave() {
          readers.delete(reader)
          if (readers.size === 0) end()
        },
      }
    },
  }
}
