import { wholeText } from './errors.ts'
import type { Data, Schemas } from './operations.ts'
import type { Feed } from './streams.ts'

/** `sequence` is the position after which `events` continues. */
export type AuctionEvent =
  | Schemas['Event']
  /** The first event without a position, and after `reset`. */
  | (Schemas['SnapshotStreamData'] & { readonly type: 'snapshot' })
  /** The auction does not have the position `from`, so forget its events. A snapshot follows. */
  | (Schemas['ResetStreamData'] & { readonly type: 'reset' })

export type FollowedState =
  | (Schemas['AuctionStreamData'] & { readonly type: 'auction' })
  /** These auctions do not exist. */
  | (Schemas['MissingStreamData'] & { readonly type: 'missing' })

export type SaleEvent =
  | (Schemas['SaleStreamData'] & { readonly type: 'sale' })
  | (Schemas['LotsStreamData'] & { readonly type: 'lots' })
  /** All lots have had a line. */
  | (Schemas['ReadyStreamData'] & { readonly type: 'ready' })

/** Every event of an auction, once and in order. */
export function createEventFeed(
  id: number,
  after: number | undefined,
  note: (now: unknown) => void,
): Feed<AuctionEvent> {
  let position = after
  let endMs = Number.NaN
  let isOver = false

  /** @throws before it changes anything, if the events or their position are damaged */
  function receiveAll(events: readonly AuctionEvent[], reached: string | undefined): readonly AuctionEvent[] {
    if (reached !== undefined && !/^\d{1,15}$/.test(reached)) throw new RangeError('damaged')
    const states = events.map((event) => ({ ...('auction' in event ? event.auction : event) }))
    for (const state of states) {
      if ('effectiveEndTime' in state) endMs = Date.parse(state.effectiveEndTime)
      isOver = 'result' in state && state.result !== null
    }
    if (reached !== undefined) position = Number(reached)
    return events
  }

  return {
    path: () =>
      `api/Auctions/${wholeText(id)}/Events${position === undefined ? '' : `?lastEventId=${wholeText(position, 'The position after')}`}`,
    receive(name, data, frameId) {
      note(data?.now)
      return name === 'bye' ? [] : receiveAll([{ type: name, ...data }], frameId)
    },
    receivePage: ({ items, position: reached }: Data<'listEvents'>) => receiveAll(items, String(reached)),
    // Events are the entries of the ledger, which has none for the start.
    receiveTime: () => [],
    dueMs: () => Number.POSITIVE_INFINITY,
    endMs: () => endMs,
    isOver: () => isOver,
  }
}

type State = Schemas['AuctionStreamData']

/** The newest states of auctions, including those at their starts and ends, which the service does not send. */
export function createStateFeed(ids: readonly number[], note: (now: unknown) => void): Feed<FollowedState> {
  /** The auctions that are not over, with their states as far as they are known. */
  const open = new Map<number, State | undefined>(ids.map((id) => [id, undefined]))
  const shown = new Map<number, string>()
  const earliest = (timeOf: (auction: State['auction']) => number) =>
    Math.min(
      ...[...open.values()].map((state) => (state === undefined ? Number.POSITIVE_INFINITY : timeOf(state.auction))),
    )

  function receiveState(state: State): readonly FollowedState[] {
    const { sequence, auction } = state
    const { id, status, result } = auction
    if (result === null) open.set(id, state)
    else open.delete(id)
    // A connection begins with the states that the one before has ended with.
    const version = `${sequence} ${status}`
    if (shown.get(id) === version) return []
    shown.set(id, version)
    return [{ type: 'auction', ...state }]
  }

  function receiveMissing(missing: number[]): readonly FollowedState[] {
    for (const id of missing) open.delete(id)
    return missing.length === 0 ? [] : [{ type: 'missing', ids: missing }]
  }

  return {
    path: () => `api/Auctions/Events?ids=${[...open.keys()].map((id) => wholeText(id))}`,
    receive(name, data) {
      note(data?.now)
      if (name === 'missing') return receiveMissing(data.ids)
      return name === 'auction' ? receiveState(data) : []
    },
    receivePage: ({ items, missing }: Data<'followAuctions'>, now) => [
      ...receiveMissing(missing),
      ...items.flatMap((state) => receiveState({ now, ...state })),
    ],
    receiveTime: (nowMs) =>
      [...open.values()].flatMap((state) =>
        state !== undefined && nowMs >= changeMs(state.auction)
          ? receiveState({ ...state, now: new Date(nowMs).toISOString(), auction: changed(state.auction) })
          : [],
      ),
    dueMs: () => earliest(changeMs),
    endMs: () => earliest(({ effectiveEndTime }) => Date.parse(effectiveEndTime)),
    isOver: () => open.size === 0,
  }
}

/** The lines of the lots of a sale, without those that a new connection repeats. */
export function createSaleFeed(id: number, note: (now: unknown) => void): Feed<SaleEvent> {
  const shown = new Map<number, string>()
  let isOver = false

  function receiveLots({ lots, ...others }: Schemas['LotsStreamData']): readonly SaleEvent[] {
    const changed = lots.filter((line) => {
      const text = JSON.stringify(line)
      const isNew = shown.get(line.id) !== text
      shown.set(line.id, text)
      return isNew
    })
    return changed.length === 0 ? [] : [{ type: 'lots', ...others, lots: changed }]
  }

  return {
    path: () => `api/Sales/${wholeText(id)}/Events`,
    receive(name, data) {
      note(data.now)
      isOver = name === 'bye' && data.reason === 'over'
      if (name === 'lots') return receiveLots(data)
      return name === 'sale' || name === 'ready' ? [{ type: name, ...data }] : []
    },
    // A page of lots would not show most of those that are near their ends.
    endMs: () => Number.NaN,
    receivePage: () => [],
    receiveTime: () => [],
    dueMs: () => Number.POSITIVE_INFINITY,
    isOver: () => isOver,
  }
}

/** When time changes the status of an auction without a result. */
function changeMs({ status, startTime, effectiveEndTime }: State['auction']): number {
  if (status === 'Pending') return Date.parse(startTime)
  return status === 'Active' ? Date.parse(effectiveEndTime) : Number.POSITIVE_INFINITY
}

/** An auction after its start or its end. Without bids, a buy-now price is offered from the start. */
function changed(auction: State['auction']): State['auction'] {
  const isOpen = auction.status === 'Pending'
  const offered = auction.buyNowOffered === undefined ? {} : { buyNowOffered: isOpen }
  return { ...auction, status: isOpen ? 'Active' : 'Ended', ...offered }
}
