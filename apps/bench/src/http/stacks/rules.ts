import * as v from 'valibot'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
export const Bid = v.strictObject({ auctionId: id, bidderId: id, amount: v.pipe(v.number(), v.minValue(0.01)) })
export type Bid = v.InferOutput<typeof Bid>

export const permission = 'auction-service:Bids:Create'
export const Claims = v.object({ sub: v.string(), permissions: v.array(v.string()) })

/** The JSON Schema with which Fastify serializes the response to a bid. */
const [integer, text] = [{ type: 'integer' }, { type: 'string' }]
const bid = { id: integer, auctionId: integer, bidderId: integer, amount: { type: 'number' }, timestamp: text }
export const responseSchema = {
  type: 'object',
  properties: { success: { type: 'boolean' }, message: text, data: { type: 'object', properties: bid } },
}

/** Keeps only the highest bid of each auction. A bid that is not higher has no response. */
export function createHighestBids() {
  const highest = new Map<number, number>()
  let lastId = 0
  return (offered: Bid) => {
    if (offered.amount <= (highest.get(offered.auctionId) ?? 0)) return undefined
    highest.set(offered.auctionId, offered.amount)
    lastId += 1
    return { id: lastId, ...offered, timestamp: new Date().toISOString() }
  }
}
