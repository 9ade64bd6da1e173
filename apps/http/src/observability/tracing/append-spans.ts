import type { BidId } from '@auction/domain/ids'
import type { Observer } from '@auction/domain/observer'
import { ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'

export type AppendSpans = {
  readonly onAppend: NonNullable<Observer['onAppend']>
  /** Adds the append that has stored a bid below the span of the bid's request. */
  addTo(span: Span, bidId: BidId): void
}

type Append = {
  readonly startMs: number
  readonly endMs: number
  readonly entries: number
  readonly auctions: number
  readonly outcome: string
}

/** Entries whose request has not asked yet. Closings, and bids whose request is not traced, are never asked for. */
const maxKept = 10_000

/** Remembers for a while which append has stored which entry: one append is part of as many traces as it has bids. */
export function createAppendSpans(tracer: Tracer): AppendSpans {
  const kept = new Map<BidId, Append>()

  function keep(id: BidId, append: Append): void {
    const oldest = kept.size < maxKept ? undefined : kept.keys().next().value
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(id, append)
  }

  return {
    onAppend({ entries, auctions }) {
      const startMs = nowMs()
      return (end) => {
        const append = { startMs, endMs: nowMs(), entries: entries.length, auctions, outcome: end.outcome }
        const stored = end.outcome === 'conflict' ? entries.slice(0, end.stored) : entries
        for (const { id } of stored) keep(id, append)
      }
    },
    addTo(span, bidId) {
      const append = kept.get(bidId)
      if (append === undefined) return
      kept.delete(bidId)
      const { startMs, endMs, entries, auctions, outcome } = append
      const attributes = {
        'auction.append.entries': entries,
        'auction.append.auctions': auctions,
        'auction.append.outcome': outcome,
      }
      const options = { kind: SpanKind.CLIENT, startTime: startMs, attributes }
      tracer.startSpan('append', options, trace.setSpan(ROOT_CONTEXT, span)).end(endMs)
    },
  }
}

/** Of the epoch, with fractions. */
const nowMs = (): number => performance.timeOrigin + performance.now()
