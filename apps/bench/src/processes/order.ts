/** What one of the processes is to do. */
export type BiddingOrder = {
  readonly uri: string
  readonly maxConnections: number
  /** An auction for each bidder of this process, which bids on it again and again. */
  readonly hotAuctions: readonly number[]
  /** An auction with one bidder, who bids now and then. */
  readonly calmAuction: number
  readonly warmupSeconds: number
  readonly seconds: number
}

/** What came of it, in the seconds that count. */
export type BiddingReport = {
  readonly accepted: number
  readonly refused: number
  readonly failed: number
  readonly p50Ms: number | undefined
  readonly p99Ms: number | undefined
  readonly calmP50Ms: number | undefined
  readonly calmP99Ms: number | undefined
  /** What the first bid that failed was told. */
  readonly trouble: string | undefined
}
