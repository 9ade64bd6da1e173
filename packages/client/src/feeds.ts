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

/** Every event of an auction, once and in order. */
export function createEventFeed(
  id: number,
  after: number | undefined,
  note: (now: unknown) => void,
): Feed<AuctionEvent> {
  let position = after
  let endMs = Number.NaN
  let isOver = false

  function receiveOne(event: AuctionEvent): AuctionEvent {
    const state = 'auction' in event ? event.auction : event
    if ('effectiveEndTime' in state) endMs = Date.parse(state.effectiveEndTime)
    isOver = 'result' in state && state.result !== null
    return event
  }

  return {
    path: () => `api/Auctions/${id}/Events${position === undefined ? '' : `?lastEventId=${position}`}`,
    receive(name, data, frameId) {
      note(data?.now)
      if (name === 'bye') return []
      if (frameId !== undefined) position = Number(frameId)
      return [receiveOne({ type: name, ...data })]
    },
    receivePage({ items, position: reached }: Data<'listEvents'>) {
      position = reached
      return items.map(receiveOne)
    },
    endMs: () => endMs,
    isOver: () => isOver,
  }
}

/** The newest states of auctions. */
export function createStateFeed(ids: readonly number[], note: (now: unknown) => void): Feed<FollowedState> {
  /** When each auction ends. Those that are over are left out. */
  const ends = new Map(ids.map((id) => [id, Number.POSITIVE_INFINITY]))
  const shown = new Map<number, string>()

  function receiveState(state: Schemas['AuctionStreamData']): readonly FollowedState[] {
    const { sequence, auction } = state
    const { id, status, result } = auction
    if (result === null) ends.set(id, Date.parse(auction.effectiveEndTime))
    else ends.delete(id)
    // A connection begins with the states that the one before has ended with.
    const version = `${sequence} ${status}`
    if (shown.get(id) === version) return []
    shown.set(id, version)
    return [{ type: 'auction', ...state }]
  }

  function receiveMissing(missing: number[]): readonly FollowedState[] {
    for (const id of missing) ends.delete(id)
    return missing.length === 0 ? [] : [{ type: 'missing', ids: missing }]
  }

  return {
    path: () => `api/Auctions/Events?ids=${[...ends.keys()]}`,
    receive(name, data) {
      note(data?.now)
      if (name === 'missing') return receiveMissing(data.ids)
      return name === 'auction' ? receiveState(data) : []
    },
    receivePage: ({ items, missing }: Data<'followAuctions'>, now) => [
      ...receiveMissing(missing),
      ...items.flatMap((state) => receiveState({ now, ...state })),
    ],
    endMs: () => Math.min(...ends.values()),
    isOver: () => ends.size === 0,
  }
}
