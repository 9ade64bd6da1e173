import type { Sample } from '../measure/sample.ts'

/** Who bids, and on which auction. */
export type Caller = { readonly token: string; readonly auctionId: number }

export type LoadOrder = {
  readonly origin: string
  /** What is sent: bids on the callers' auctions, or reads of them. */
  readonly request: 'bid' | 'read'
  /** Requests are sent in the name of one after the other. */
  readonly callers: readonly Caller[]
  readonly connections: number
  readonly seconds: number
  /** What every request has beside its token and its media type. */
  readonly headers: Readonly<Record<string, string>>
}

/** An order, with the amount of its first bid in whole dollars. Each bid offers a dollar more than the one before. */
export type NumberedOrder = LoadOrder & { readonly firstDollars: number }

export type LoadReport = {
  readonly sample: Sample
  /** How many were answered. */
  readonly requests: number
  /** What did not go as it should: answers other than 2xx, connections that broke. */
  readonly trouble: string | undefined
}

/** What a generator counts, as it is reported here. */
export type LoadCounts = {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not 2xx. */
  readonly refused: number
  /** Connections that broke or timed out. */
  readonly failed: number
}

export function loadReportOf({ requests, seconds, p50Ms, p99Ms, refused, failed }: LoadCounts): LoadReport {
  const accepted = requests - refused
  return {
    sample: {
      acceptedPerSecond: accepted / seconds,
      refusedPerSecond: refused / seconds,
      failedPerSecond: failed / seconds,
      ...(accepted > 0 && { p50Ms, p99Ms }),
    },
    requests,
    trouble:
      refused + failed === 0
        ? undefined
        : `${refused} of ${requests} answers were not 2xx, and ${failed} connections failed`,
  }
}
