// The members of responses that a client may send back, apart from the schemas, because forms need them.

export const toAuctions = [
  ...['id', 'status', 'timestamp', 'currentPrice', 'minimumNextBid', 'maximumNextBid', 'bidCount', 'result'],
  ...[
    'effectiveEndTime',
    'reserveMet',
    'buyNowOffered',
    'leaderId',
    'leaderPaddle',
    'youLead',
    'yourMaximum',
    'yourPseudonym',
  ],
  ...['createdAt', 'endedAt', 'correctedAt', 'repairCount', 'saleId', 'lot'],
]

export const toBids = [
  ...['id', 'status', 'timestamp', 'automatic', 'raisesMaximum', 'withdrawn', 'purchase', 'paddle'],
  ...['leaderId', 'leaderPaddle', 'youLead', 'yourMaximum', 'yourPseudonym'],
]
