import { momentAt } from '@auction/domain/moment'
import { isBetween } from './proxy.ts'
import type { Before, EnglishAuction } from './types.ts'

/** Increments in percent are stored in hundredths of a percent. */
export const renamed = {
  incrementBasisPoints: { field: 'incrementPercent', toField: (stored: unknown) => Number(stored) / 100 },
}

/** The auction with a lowered reserve and a moved latest end. */
export function withRepairs(auction: EnglishAuction, head: NonNullable<Before>): EnglishAuction {
  const { latestEndShiftMs = 0, reservePriceMinor: loweredMinor } = head.state.repairs ?? {}
  const { reservePriceMinor, softClose, ...others } = auction
  const reserve = loweredMinor === undefined ? reservePriceMinor : loweredMinor > 0 ? loweredMinor : undefined
  const latestEndTime = softClose && momentAt(softClose.latestEndTime.epochMs + latestEndShiftMs)
  return {
    ...others,
    ...(reserve !== undefined && { reservePriceMinor: reserve }),
    ...(softClose && { softClose: latestEndShiftMs === 0 ? softClose : { ...softClose, latestEndTime } }),
  } as EnglishAuction // The same fields.
}

/** Returns whether the reserve is lower than that of the creation, or was removed. */
export const hasOwnersRepair = (before: Before): boolean => before?.state.repairs?.reservePriceMinor !== undefined

/** Returns whether a reserve is lower than the one in effect; 0 removes any. */
export const isLowering = ({ reservePriceMinor }: EnglishAuction, wantedMinor: number): boolean =>
  reservePriceMinor !== undefined && (wantedMinor < reservePriceMinor || wantedMinor === 0)

function hasFaultyIncrements(terms: EnglishAuction): boolean {
  const {
    incrementSteps: steps = [],
    bidSteps = [],
    incrementBasisPoints,
    maximumBidIncrementMinor,
    startingPriceMinor,
  } = terms
  const all = [{ fromPriceMinor: -1, incrementMinor: terms.minimumBidIncrementMinor }, ...steps]
  const isFalling = all.some((step, index) => {
    const before = all[index - 1]
    if (before === undefined) return false
    return step.fromPriceMinor <= before.fromPriceMinor || step.incrementMinor < before.incrementMinor
  })
  const atStartMinor = Math.ceil((startingPriceMinor * (incrementBasisPoints ?? 0)) / 10_000)
  const rises = bidSteps.flatMap(({ amountsMinor }) =>
    amountsMinor.map((toMinor, index) => toMinor - (amountsMinor[index - 1] ?? 0)),
  )
  const highestMinor = Math.max(all.at(-1)?.incrementMinor ?? 0, atStartMinor, ...rises)
  const isUnreachable = startingPriceMinor > 0 && isBetween(terms, startingPriceMinor)
  const hasTwo = bidSteps.length > 0 && (steps.length > 0 || incrementBasisPoints !== undefined)
  return (
    isFalling ||
    isUnreachable ||
    hasTwo ||
    (maximumBidIncrementMinor !== undefined && maximumBidIncrementMinor < highestMinor)
  )
}

export function problemOf(terms: EnglishAuction): string | undefined {
  const { startingPriceMinor: least, reservePriceMinor: reserve, buyNowPriceMinor: price, softClose } = terms
  if (terms.minimumBidIncrementMinor <= 0) return 'an increment of nothing'
  if (hasFaultyIncrements(terms)) return 'increments that are not valid'
  if (reserve !== undefined && reserve < least) return 'a reserve below the starting price'
  if (price !== undefined && (price <= least || price <= (reserve ?? 0))) return 'a buy-now price that is too low'
  const overtimeMs = softClose === undefined ? 1 : softClose.latestEndTime.epochMs - terms.endTime.epochMs
  return overtimeMs < 1 || overtimeMs > 604_800_000 ? 'a latest end out of its range' : undefined
}
