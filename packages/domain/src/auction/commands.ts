import type { UserId } from '../ids.ts'
import type { Decimal } from '../money.ts'

/** To bid: who, and how much in the auction's currency. */
export type PlaceBid = { readonly type: 'place-bid'; readonly bidderId: UserId; readonly amount: Decimal }

/**
 * To record an auction's end and result. `marginMs` is by how much the clocks of those who serve the auction may differ: no
 * auction is closed before that much time has passed since its end, so that no bid is decided in time and then found shut out.
 */
export type Close = { readonly type: 'close'; readonly marginMs: number }

export type Command = PlaceBid | Close
