import type { AppendEnd, AppendStart } from '@auction/domain'
import type { AuctionId, BidId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'

type Append = { readonly startMs: number; readonly endMs: number; readonly attributes: Attributes }

/** The limit of remembered entries. Closings and bids without a trace are never removed by a request. */
const maxKept = 10_000

/** The key of an append: the bid's id, or the auction that it ended. */
type StoredAs = BidId | `end of ${AuctionId}`

const storedAs = ({ id, auctionId, event }: Entry): StoredAs =>
  event.type === 'bought' || event.type === 'cancelled' ? `end of ${auctionId}` : id

/** Remembers the append of each recent entry: one append belongs to the trace of every bid in it. */
export function createAppendSpans(tracer: Tracer) {
  const kept = new Map<StoredAs, Append>()

  function keep(entry: Entry, append: Append): void {
    const oldest = kept.size < maxKept ? undefined : kept.keys().next().value
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(storedAs(entry), append)
  }

  function addTo(span: Span, stored: StoredAs): void {
    const append = kept.get(stored)
    if (append === undefined) return
    kept.delete(stored)
    const { startMs, endMs, attributes } = append
    const options = { kind: SpanKind.CLIENT, startTime: startMs, attributes }
    tracer.startSpan('append', options, trace.setSpan(ROOT_CONTEXT, span)).end(endMs)
  }

  return {
    onAppend({ entries }: AppendStart) {
      const startMs = nowMs()
      return (end: AppendEnd) => {
        const attributes = { 'auction.append.entries': entries.length, 'auction.append.outcome': end.outcome }
        const append = { startMs, endMs: nowMs(), attributes }
        const stored = end.outcome === 'conflict' ? entries.slice(0, end.stored) : entries
        for (const entry of stored) keep(entry, append)
      }
    },
    /** Adds a span for the append of a bid to the span of its request. */
    addOfBid: (span: Span, bidId: BidId) => addTo(span, bidId),
    /** Adds a span for the append of a purchase or cancellation, of which an auction has one. */
    addOfEnd: (span: Span, auctionId: AuctionId) => addTo(span, `end of ${auctionId}`),
  }
}

/** Milliseconds since 1970, with fractions. */
const nowMs = (): number => performance.timeOrigin + performance.now()
