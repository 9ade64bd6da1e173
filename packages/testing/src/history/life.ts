import type { Auction, Withdrawn } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import type { SeenTexts } from '../history.ts'

// What is the same in every format, as far as it needs no format. `before` is the previous entry, if any.

type Before = Pick<Entry, 'state'> | undefined

/** Returns the end after the entries so far. */
export const endMs = ({ endTime }: Pick<Auction, 'endTime'>, before: Before): number =>
  before?.state.extendedEndMs ?? endTime.epochMs

/** Returns whether an entry ends the auction, or records a repeated cancellation after its end. */
export const isEnd = (entry: Before): boolean => entry?.state.phase === 'closed'

/** Returns whether an entry only records the key of a repeated cancellation, the only entry that may follow an end. */
export const isRemembered = ({ event, requestKey }: Entry, before: Entry | undefined): boolean =>
  event.type === 'cancelled' && requestKey !== undefined && before?.event.type === 'cancelled'

/** How many corrections an auction may have before another one by its owner, or by staff. */
export const mostCorrections = { owner: 20, staff: 40 }

/** Texts and time of correction as readers see them after an entry. */
export const textsOf = (created: Pick<Auction, 'title' | 'metadata'>, head: Entry | undefined): SeenTexts => {
  const corrections = head?.state.corrections
  const title = corrections?.title === undefined ? created.title : (corrections.title ?? undefined)
  const metadata = corrections?.metadata === undefined ? created.metadata : (corrections.metadata ?? undefined)
  return { title, metadata, correctedAtMs: corrections?.atMs }
}

/** Returns whether a withdrawal changes something: one that unblocks withdraws no bids. */
export const isEffective = (wanted: boolean | undefined, wasBlocked: boolean, hasBids: boolean): boolean =>
  wanted === false ? wasBlocked : hasBids || (wanted === true && !wasBlocked)

/** What a withdrawal says about blocking: true, false for a bidder who may bid again, or nothing. */
export const blockIn = ({ isBlocked, isUnblocked }: Withdrawn) => (isUnblocked === true ? false : isBlocked)

export const isBlocked = (bidderId: number, before: Before): boolean =>
  before?.state.repairs?.withdrawn?.some((each) => each.bidderId === bidderId && each.isBlocked === true) === true

const furthestExtensionMs = 30 * 24 * 3_600_000

/** Returns whether an end can replace the one in effect at a time. */
export const isExtension = (wantedMs: number, presentMs: number, atMs: number): boolean =>
  wantedMs > Math.max(presentMs, atMs) && wantedMs <= presentMs + furthestExtensionMs

/** The end that a closing makes: bids that arrived until then count. */
export const endOfClosing = (presentMs: number, atMs: number): number => Math.min(presentMs, atMs + 1)
