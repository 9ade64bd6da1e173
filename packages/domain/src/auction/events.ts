import type { AnyTypes } from './formats/formats.ts'

/**
 * The whole effect of one command, recorded in one entry or not at all. A purchase, a `cancelled` and a `closed` end
 * the auction; only a `cancelled` may follow another `cancelled`. No bid precedes a `corrected`.
 */
export type AuctionEvent = AnyTypes['event']

/** An event of a type. */
type Of<Type extends AuctionEvent['type']> = Extract<AuctionEvent, { readonly type: Type }>

export type Corrected = Of<'corrected'>
export type Withdrawn = Of<'withdrawn'>

/** The terms that can be corrected. */
export type CorrectableTerms = NonNullable<Corrected['terms']>['result']

/** A change by staff, or by the owner, of an auction that may have bids. */
export type Repair = Of<'extended' | 'ended-early' | 'withdrawn'> | OwnRepair

/** A repair that other formats do not have. */
export type OwnRepair = Extract<AnyTypes['ownEvent'], { readonly editor: string }>
