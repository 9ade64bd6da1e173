/** The members of responses that a client may send back. */
export const assigned = [
  ...['id', 'status', 'timestamp', 'currentPrice', 'nextPrice', 'nextPriceTime', 'result', 'effectiveEndTime'],
  ...['yourPseudonym', 'createdAt', 'endedAt', 'correctedAt', 'repairCount', 'saleId', 'lot'],
]
