import { amountOf, minorOf } from './money.ts'
import type { Schemas } from './operations.ts'

type Falling = Pick<Schemas['AuctionView'], 'startingPrice' | 'falling' | 'currency' | 'startTime'> &
  Partial<Pick<Schemas['AuctionView'], 'effectiveEndTime' | 'result'>>

export type FallingPrice = {
  readonly currentPrice: number
  /** Null if no step follows before the end. */
  readonly nextPrice: number | null
  /** When the price falls to it, in milliseconds since 1970. */
  readonly nextPriceAtMs: number | null
}

/**
 * The price of an auction whose price falls, and the next one, at a time: what a read would have then, without a request.
 * Use the `now` of the client, since the device may have another time. Undefined for an auction of another format, and for one that is
 * over, whose read has the price.
 */
export function priceAt(auction: Falling, atMs: number): FallingPrice | undefined {
  const { startingPrice, falling, currency, startTime, effectiveEndTime, result } = auction
  if (falling === undefined || result != null) return undefined
  const minor = (amount: number) => minorOf(amount, currency)
  const [startMs, endMs] = [Date.parse(startTime), Date.parse(effectiveEndTime ?? '')]
  const lastMs = Number.isNaN(endMs) ? atMs : Math.min(atMs, endMs - 1)
  const intervalMs = falling.intervalSeconds * 1_000
  const steps = Math.max(0, Math.floor((lastMs - startMs) / intervalMs))
  const floor = minor(falling.floorPrice)
  const after = (count: number) => {
    const price = minor(startingPrice) - BigInt(count) * minor(falling.decrement)
    return amountOf(price > floor ? price : floor, currency)
  }
  const nextPriceAtMs = startMs + (steps + 1) * intervalMs
  const isLast = after(steps) === falling.floorPrice || atMs >= endMs || nextPriceAtMs >= endMs
  if (isLast) return { currentPrice: after(steps), nextPrice: null, nextPriceAtMs: null }
  return { currentPrice: after(steps), nextPrice: after(steps + 1), nextPriceAtMs }
}
