import type { AgendaUpdate, AuctionQuery } from '@auction/domain/store'
import { type Agenda, type PlainStoreSteps, rightSteps } from '../../../../domain/test/support/plain-store.ts'
import { replaced, type StoreMutation, swapped } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const atEnd = 'puts an auction on the agenda at its end, with or without a soft close'
const boundary = 'lists the auctions due by a time, including that millisecond, and none after it'
const allTimes = 'keeps the times of places exact, including times before 1970'
const later = 'moves places only to later times'
const onlyPlace = 'changes only the place of an auction, which stays open'
const forGood = 'removes an ended auction from the agenda permanently'
const anyTime = 'ends auctions at any time, before or after that of their place'
const again = 'keeps the place of an auction that is inserted again'
const unknown = 'ignores unknown auctions, and makes the other updates of the call'
const several = 'makes several updates of one auction in one call as if each were a separate call'
const atOnce = 'makes concurrent updates of one auction, in any order'
const whileMoving = 'skips and repeats no auction on the agenda while places move and auctions end'
const openPages = 'lists the newest open auctions, page by page, while others end'

type Next = PlainStoreSteps['nextAgenda']

/** A store with a bug in how it changes positions. */
const changing = (bug: string, nextAgenda: Next, ...caughtBy: readonly string[]): StoreMutation =>
  swapped(bug, { nextAgenda }, ...caughtBy)

/** A store that changes updates, or their order, before it applies them. */
const updating = (
  bug: string,
  change: (updates: readonly AgendaUpdate[]) => readonly AgendaUpdate[],
  ...caughtBy: readonly string[]
): StoreMutation =>
  replaced(bug, (right) => ({ updateAgenda: (updates) => right.updateAgenda(change(updates)) }), ...caughtBy)

/** A store that treats lists of the agenda as other lists. */
const asking = (
  bug: string,
  change: (query: AuctionQuery) => AuctionQuery,
  ...caughtBy: readonly string[]
): StoreMutation =>
  replaced(
    bug,
    (right) => ({ listAuctions: (query) => right.listAuctions(query.order === 'agenda' ? change(query) : query) }),
    ...caughtBy,
  )

const isDue = (agenda: Agenda): agenda is { readonly dueMs: number } => 'dueMs' in agenda
const placeOf = ({ auctionId: _, ...place }: AgendaUpdate): Agenda => place

/** Keeps one of several updates of an auction, as a statement does that joins them with a table. */
const onlyOne = (which: 0 | -1) => (updates: readonly AgendaUpdate[]) =>
  updates.filter((update) => updates.filter(({ auctionId }) => auctionId === update.auctionId).at(which) === update)

const beginning: readonly StoreMutation[] = [
  swapped(
    'puts auctions on the agenda at their latest ends',
    { firstAgenda: ({ endTime, softClose }) => ({ dueMs: (softClose?.latestEndTime ?? endTime).epochMs }) },
    atEnd,
  ),
  swapped(
    'puts auctions on the agenda at the full second',
    { firstAgenda: ({ endTime }) => ({ dueMs: Math.floor(endTime.epochMs / 1000) * 1000 }) },
    atEnd,
    allTimes,
  ),
  swapped(
    'puts only auctions with a soft close on the agenda',
    { firstAgenda: ({ endTime, softClose }) => (softClose ? { dueMs: endTime.epochMs } : { endedMs: 0 }) },
    atEnd,
  ),
  swapped(
    'keeps places from 1970 on',
    { firstAgenda: ({ endTime }) => ({ dueMs: Math.max(0, endTime.epochMs) }) },
    allTimes,
  ),
  swapped(
    'treats a place before 1970 as an end',
    { firstAgenda: ({ endTime }) => (endTime.epochMs < 0 ? { endedMs: 0 } : { dueMs: endTime.epochMs }) },
    allTimes,
  ),
  swapped(
    'treats a place at 0 as none',
    {
      isPassedOver: (placed, query) =>
        rightSteps.isPassedOver(placed, query) || (query.order === 'agenda' && placed.timeMs === 0),
    },
    allTimes,
  ),
  swapped(
    'keeps places in single precision',
    { firstAgenda: ({ endTime }) => ({ dueMs: Math.fround(endTime.epochMs) }) },
    allTimes,
    atEnd,
  ),
  asking('does not know by when auctions are due', ({ dueByMs: _, ...query }) => query, boundary, later),
  asking(
    'omits auctions that are due at the exact time',
    (query) => (query.dueByMs === undefined ? query : { ...query, dueByMs: query.dueByMs - 1 }),
    boundary,
    later,
  ),
  asking(
    'lists auctions that are due a millisecond later',
    (query) => (query.dueByMs === undefined ? query : { ...query, dueByMs: query.dueByMs + 1 }),
    boundary,
    later,
  ),
  asking('takes 0 for no time', ({ dueByMs, ...query }) => (dueByMs ? { ...query, dueByMs } : query), allTimes),
  asking(
    'ignores the due filter from the second page on',
    ({ dueByMs, ...query }) => (dueByMs === undefined || query.after ? query : { ...query, dueByMs }),
    boundary,
  ),
  replaced(
    'returns a next page after the due auctions',
    (right) => ({
      listAuctions: async (query) => {
        const page = await right.listAuctions(query)
        if (query.dueByMs === undefined || page.next !== undefined) return page
        const { dueByMs: _, ...all } = query
        return { ...page, next: (await right.listAuctions(all)).next }
      },
    }),
    boundary,
  ),
]

const moving: readonly StoreMutation[] = [
  changing(
    'never moves a place',
    (agenda, update) => ('dueMs' in update ? agenda : rightSteps.nextAgenda(agenda, update)),
    later,
    whileMoving,
  ),
  changing(
    'moves places to earlier times',
    (agenda, update) => (isDue(agenda) ? placeOf(update) : agenda),
    later,
    atOnce,
  ),
  changing(
    'moves places by at least a second',
    (agenda, update) =>
      isDue(agenda) && 'dueMs' in update && update.dueMs < agenda.dueMs + 1_000
        ? agenda
        : rightSteps.nextAgenda(agenda, update),
    later,
  ),
  changing(
    'moves a place by its new time',
    (agenda, update) =>
      isDue(agenda) && 'dueMs' in update && update.dueMs > agenda.dueMs
        ? { dueMs: agenda.dueMs + 1_000 }
        : rightSteps.nextAgenda(agenda, update),
    later,
  ),
  replaced(
    'moves the end of an auction with its place',
    (right) => {
      const moved = new Map<number, number>()
      return {
        updateAgenda: async (updates) => {
          for (const update of updates) if ('dueMs' in update) moved.set(update.auctionId, update.dueMs)
          await right.updateAgenda(updates)
        },
        findAuction: async (id) => {
          const [auction, epochMs] = [await right.findAuction(id), moved.get(id)]
          return auction && epochMs !== undefined ? { ...auction, endTime: { ...auction.endTime, epochMs } } : auction
        },
      }
    },
    onlyPlace,
  ),
  replaced(
    'lists a moved auction without its texts',
    (right) => {
      const moved = new Set<number>()
      return {
        updateAgenda: async (updates) => {
          for (const { auctionId } of updates) moved.add(auctionId)
          await right.updateAgenda(updates)
        },
        listAuctions: async (query) => {
          const { items, next } = await right.listAuctions(query)
          const shown = items.map(({ auction: { title, ...auction }, position }) => ({
            auction: moved.has(auction.id) || title === undefined ? auction : { ...auction, title },
            position,
          }))
          return { items: shown, next }
        },
      }
    },
    onlyPlace,
  ),
  changing(
    'treats moved auctions as ended',
    (agenda, update) => ('dueMs' in update ? { endedMs: update.dueMs } : rightSteps.nextAgenda(agenda, update)),
    later,
    onlyPlace,
  ),
]

const ending: readonly StoreMutation[] = [
  changing(
    'keeps ended auctions on the agenda',
    (agenda, update) => ('endedMs' in update ? agenda : rightSteps.nextAgenda(agenda, update)),
    forGood,
    anyTime,
  ),
  changing(
    'puts ended auctions on the agenda again',
    (agenda, update) => (isDue(agenda) ? rightSteps.nextAgenda(agenda, update) : placeOf(update)),
    forGood,
    atOnce,
    several,
  ),
  changing(
    'puts ended auctions on the agenda again at a time after their end',
    (agenda, update) =>
      !isDue(agenda) && 'dueMs' in update && update.dueMs > agenda.endedMs
        ? placeOf(update)
        : rightSteps.nextAgenda(agenda, update),
    forGood,
  ),
  changing(
    'refuses the second end of an auction',
    (agenda, update) =>
      !isDue(agenda) && 'endedMs' in update ? { dueMs: update.endedMs } : rightSteps.nextAgenda(agenda, update),
    forGood,
  ),
  changing(
    'keeps the last end of an auction',
    (agenda, update) =>
      !isDue(agenda) && 'endedMs' in update ? placeOf(update) : rightSteps.nextAgenda(agenda, update),
    forGood,
  ),
  changing(
    'keeps the earliest end of an auction',
    (agenda, update) =>
      !isDue(agenda) && 'endedMs' in update && update.endedMs < agenda.endedMs
        ? placeOf(update)
        : rightSteps.nextAgenda(agenda, update),
    forGood,
  ),
  changing(
    'does not end auctions before their place',
    (agenda, update) =>
      isDue(agenda) && 'endedMs' in update && update.endedMs < agenda.dueMs
        ? agenda
        : rightSteps.nextAgenda(agenda, update),
    anyTime,
  ),
  changing(
    'does not end auctions before 1970',
    (agenda, update) => ('endedMs' in update && update.endedMs < 0 ? agenda : rightSteps.nextAgenda(agenda, update)),
    anyTime,
  ),
  changing(
    'treats an end at 0 as none',
    (agenda, update) => ('endedMs' in update && update.endedMs === 0 ? agenda : rightSteps.nextAgenda(agenda, update)),
    anyTime,
  ),
  replaced(
    'resets the place of an auction that is inserted again',
    (right) => {
      const ended = new Set<number>()
      return {
        insertAuction: async (auction) => {
          ended.delete(auction.id)
          return right.insertAuction(auction)
        },
        updateAgenda: async (updates) => {
          for (const update of updates) if ('endedMs' in update) ended.add(update.auctionId)
          await right.updateAgenda(updates.filter((update) => 'dueMs' in update))
        },
        listAuctions: async (query) => {
          const { items, next } = await right.listAuctions(query)
          const isListed = (id: number) => (query.order === 'newest' && !query.onlyOpen) || !ended.has(id)
          return { items: items.filter(({ auction }) => isListed(auction.id)), next }
        },
      }
    },
    again,
  ),
  replaced(
    'moves a place to the end of an auction that is inserted again',
    (right) => ({
      insertAuction: async (auction) => {
        const result = await right.insertAuction(auction)
        const update = { auctionId: auction.id, dueMs: auction.endTime.epochMs }
        if (result === 'taken') await right.updateAgenda([update])
        return result
      },
    }),
    again,
  ),
]

const together: readonly StoreMutation[] = [
  replaced(
    'throws for an auction that it does not have',
    (right) => ({
      updateAgenda: async (updates) => {
        for (const { auctionId } of updates) {
          if ((await right.findAuction(auctionId)) === undefined) throw new RangeError('no such auction')
        }
        await right.updateAgenda(updates)
      },
    }),
    unknown,
  ),
  replaced(
    'stops at an auction that it does not have',
    (right) => ({
      updateAgenda: async (updates) => {
        for (const update of updates) {
          if ((await right.findAuction(update.auctionId)) === undefined) return
          await right.updateAgenda([update])
        }
      },
    }),
    unknown,
  ),
  replaced(
    'keeps updates for auctions that come later',
    (right) => {
      const kept: AgendaUpdate[] = []
      return {
        updateAgenda: async (updates) => {
          kept.push(...updates)
          await right.updateAgenda(updates)
        },
        insertAuction: async (auction) => {
          const result = await right.insertAuction(auction)
          await right.updateAgenda(kept.filter(({ auctionId }) => auctionId === auction.id))
          return result
        },
      }
    },
    unknown,
  ),
  replaced(
    'throws for an empty update',
    (right) => ({
      updateAgenda: async (updates) => {
        if (updates.length === 0) throw new RangeError('nothing to update')
        await right.updateAgenda(updates)
      },
    }),
    unknown,
  ),
  updating('does the first update of an auction only', onlyOne(0), several),
  updating('does the last update of an auction only', onlyOne(-1), several),
  updating('does the first update only', (updates) => updates.slice(0, 1), unknown, several),
  replaced(
    'reads a place, and moves it later',
    (right) => {
      const places = new Map<number, number>()
      return {
        updateAgenda: async (updates) => {
          const before = updates.map((update) => places.get(update.auctionId) ?? Number.NEGATIVE_INFINITY)
          await pause()
          for (const [index, update] of updates.entries()) {
            if ('dueMs' in update && update.dueMs > (before[index] ?? 0)) places.set(update.auctionId, update.dueMs)
          }
          await right.updateAgenda(updates)
        },
        listAuctions: async (query) => {
          const { items, next } = await right.listAuctions(query)
          const own = items.map(({ auction, position }) => ({
            auction,
            position:
              query.order === 'agenda' ? { ...position, timeMs: places.get(auction.id) ?? position.timeMs } : position,
          }))
          return { items: own, next }
        },
      }
    },
    atOnce,
  ),
  replaced(
    'refuses concurrent updates',
    (right) => {
      const locked = new Set<number>()
      return {
        updateAgenda: async (updates) => {
          for (const { auctionId } of updates) {
            if (locked.has(auctionId)) throw new Error('deadlock detected')
            locked.add(auctionId)
          }
          await pause()
          locked.clear()
          await right.updateAgenda(updates)
        },
      }
    },
    atOnce,
    several,
  ),
]

const paging: readonly StoreMutation[] = [
  replaced(
    'starts the agenda again after the place has moved',
    (right) => ({
      listAuctions: async ({ after, ...query }) => {
        if (after === undefined || query.order === 'newest') {
          return right.listAuctions({ ...query, ...(after && { after }) })
        }
        const { items } = await right.listAuctions({ order: 'agenda', limit: 1_000 })
        const isThere = items.some(({ position }) => position.timeMs === after.timeMs && position.id === after.id)
        const isAny = (await right.findAuction(after.id)) !== undefined
        return right.listAuctions(isThere || !isAny ? { ...query, after } : query)
      },
    }),
    whileMoving,
  ),
  replaced(
    'continues at the current place of the last auction of a page',
    (right) => ({
      listAuctions: async ({ after, ...query }) => {
        if (after === undefined) return right.listAuctions(query)
        const { items } = await right.listAuctions({ order: query.order, limit: 1_000 })
        const now = items.find(({ auction }) => auction.id === after.id)?.position
        return right.listAuctions({ ...query, after: now ?? after })
      },
    }),
    whileMoving,
  ),
  replaced(
    'lists as open what was open at the first page',
    (right) => {
      let open: ReadonlySet<number> = new Set()
      return {
        listAuctions: async (query) => {
          if (query.order === 'agenda' || query.onlyOpen !== true) return right.listAuctions(query)
          if (query.after === undefined) {
            const { items } = await right.listAuctions({ order: 'newest', onlyOpen: true, limit: 1_000 })
            open = new Set(items.map(({ auction }) => auction.id))
          }
          const { items } = await right.listAuctions({ ...query, onlyOpen: false, limit: 1_000 })
          const found = items.filter(({ auction }) => open.has(auction.id))
          const page = found.slice(0, query.limit)
          return { items: page, next: found.length > page.length ? page.at(-1)?.position : undefined }
        },
      }
    },
    openPages,
  ),
  replaced(
    'treats all auctions as open',
    (right) => ({ listAuctions: ({ onlyOpen: _, ...query }) => right.listAuctions(query) }),
    forGood,
    openPages,
  ),
  replaced(
    'lists open auctions by the agenda',
    (right) => ({
      listAuctions: async (query) => {
        if (query.order === 'agenda' || !query.onlyOpen) return right.listAuctions(query)
        const { items, next } = await right.listAuctions(query)
        return { items: items.toSorted((a, b) => a.auction.endTime.epochMs - b.auction.endTime.epochMs), next }
      },
    }),
    openPages,
  ),
]

export const agendaMutations: readonly StoreMutation[] = [...beginning, ...moving, ...ending, ...together, ...paging]
