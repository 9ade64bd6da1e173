/** The members of responses that a client may send back. */
export const assigned = [
  ...['id', 'status', 'timestamp', 'result', 'bidderCount', 'effectiveEndTime', 'youBid', 'yourPseudonym'],
  ...['createdAt', 'endedAt', 'correctedAt', 'repairCount', 'saleId', 'lot'],
]
