import type { Bid } from '@auction/domain/bid'
import type { Appended, Ledger } from '@auction/domain/ports/ledger'
import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'

/** What becomes of one call: it goes through, or its answer is lost. */
export type Fate =
  | 'goes-through'
  | 'lost-before-storing'
  | 'lost-after-storing'
  /** So many bids are stored. */
  | { readonly lostAfter: number }
  /** All bids are stored later than anybody looks for them: just before the next append. */
  | 'arrives-late'
  /** A driver, a proxy or a router sends it twice, and the second answer is the one that comes. */
  | 'sent-twice'
  /** The same, while the first is still at its second bid: the rest of it is stored just before the next append. */
  | 'sent-twice-at-once'

/** A ledger whose appends and finds meet the fates given, one after another, and go through after that. */
export function fatefulLedger(
  right: Ledger,
  fates: { readonly append?: readonly Fate[]; readonly find?: readonly Fate[]; readonly head?: readonly Fate[] },
): Ledger {
  const late: Bid[] = []
  const left = { append: [...(fates.append ?? [])], find: [...(fates.find ?? [])], head: [...(fates.head ?? [])] }
  const loseSome = (operation: keyof typeof left) => {
    if ((left[operation].shift() ?? 'goes-through') !== 'goes-through') throw noAnswer()
  }

  return {
    ...right,
    async append(bids) {
      await right.append(late.splice(0))
      const fate = left.append.shift() ?? 'goes-through'
      if (fate === 'goes-through') return right.append(bids)
      if (fate === 'sent-twice') return right.append(bids).then(() => right.append(bids))
      if (fate === 'sent-twice-at-once') {
        await right.append(bids.slice(0, 1))
        late.push(...bids.slice(1))
        return right.append(bids)
      }
      if (fate === 'arrives-late') late.push(...bids)
      if (fate === 'lost-after-storing') await right.append(bids)
      if (typeof fate === 'object') await right.append(bids.slice(0, fate.lostAfter))
      throw noAnswer()
    },
    async find(ids) {
      loseSome('find')
      return right.find(ids)
    },
    async head(auctionId) {
      loseSome('head')
      return right.head(auctionId)
    },
  }
}

export const noAnswer = () => new StoreUnavailableError('no answer', { cause: new Error('connection closed') })

/** An append that waits until the test lets it go on. */
export type HeldAppend = { readonly bids: readonly Bid[]; readonly release: () => Promise<Appended> }

/** A ledger whose appends wait for the test. */
export function heldLedger(right: Ledger): Ledger & { readonly nextAppend: () => Promise<HeldAppend> } {
  const held: HeldAppend[] = []
  const waiting: ((append: HeldAppend) => void)[] = []

  return {
    ...right,
    append: (bids) =>
      new Promise((resolve) => {
        const release = () => {
          const appended = right.append(bids)
          resolve(appended)
          return appended
        }
        const taker = waiting.shift()
        if (taker === undefined) held.push({ bids, release })
        else taker({ bids, release })
      }),
    nextAppend: () =>
      new Promise((resolve) => {
        const append = held.shift()
        if (append === undefined) waiting.push(resolve)
        else resolve(append)
      }),
  }
}
