/** What a client was told of a bid that was accepted. */
export type Claim = {
  readonly auction: number
  /**
   * The place in the auction that the bid took: its sequence, or the price that it was told it went above. Only one bid can
   * have come next after a price.
   */
  readonly step: number
  /** In whole dollars. */
  readonly dollars: number
}

/**
 * How many accepted bids are wrong by the clients' answers alone: those that were given a step which another one has too,
 * and those that do not rise by the increment above the one before. Each stands for a winner too many.
 */
export function countWrong(claims: readonly Claim[], incrementDollars: number): number {
  const inOrder = claims.toSorted((a, b) => a.auction - b.auction || a.step - b.step || a.dollars - b.dollars)
  let wrong = 0
  let before: Claim | undefined
  for (const claim of inOrder) {
    if (before?.auction === claim.auction) {
      if (claim.step === before.step || claim.dollars < before.dollars + incrementDollars) wrong += 1
    }
    before = claim
  }
  return wrong
}
