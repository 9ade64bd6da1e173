/** Calls `tell` with the user and the text of each notice that follows from a message. */
export function tellOutbid({ type, data }, tell) {
  if (type !== 'auction.bid' || data.previousLeaderId === undefined) return
  const { auctionId, currentPrice, minimumNextBid } = data
  const next = minimumNextBid === null ? 'No higher bid is possible.' : `Bid ${minimumNextBid} or more to lead again.`
  tell(data.previousLeaderId, `You were outbid in auction ${auctionId}: the price is ${currentPrice}. ${next}`)
}
