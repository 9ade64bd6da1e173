import { type AgendaUpdate, type AuctionQuery, agendaStages, stages } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCall, wrongCalls, wrongStep } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { type Agenda, rightSteps, type StoreSteps } from '../store-of-steps.ts'

const atEnd = 'puts an auction on the agenda at its end, with or without a soft close'
const boundary = 'lists the auctions due by a time, including that millisecond, and none after it'
const atStart = 'puts an auction that starts after its creation on the agenda at its start, as pending'
const allTimes = 'keeps the times of places exact, including times before 1970'
const later = 'moves places only to later times'
const corrected = 'moves places to any time after more corrections, and never back to that of fewer'
const forward = 'brings the check of an auction forward, in its stage and with its corrections'
const onlyPlace = 'changes only the place of an auction, which stays open'
const forGood = 'removes an ended auction from the agenda permanently'
const anyTime = 'ends auctions at any time, before or after that of their place'
const ownTime = 'keeps auctions in their stage whatever the time of its server is, until an update'
const again = 'keeps the place of an auction that is inserted again'
const unknown = 'ignores unknown auctions, and makes the other updates of the call'
const several = 'makes several updates of one auction in one call as if each were a separate call'
const atOnce = 'makes concurrent updates of one auction, in any order'
const whileMoving = 'skips and repeats no auction on the agenda while places move and auctions end'
const openPages = 'lists the newest open auctions, page by page, while others end'

type Next = StoreSteps['nextAgenda']

/** A store with a bug in how it changes positions. The right step decides where the wrong one returns nothing. */
const changing: Plant<(...args: Parameters<Next>) => Agenda | false> = (bug, caughtBy, next) =>
  wrongStep(bug, caughtBy, 'nextAgenda', (...args) => next(...args) || rightSteps.nextAgenda(...args))

/** A store that changes updates, or their order, before it applies them. */
const updating: Plant<(updates: readonly AgendaUpdate[]) => readonly AgendaUpdate[]> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'updateAgenda', (right, updates) => right.updateAgenda(change(updates)))

/** A store that treats lists of the agenda as other lists. */
const asking: Plant<(query: AuctionQuery) => AuctionQuery> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'listAuctions', (right, query) =>
    right.listAuctions(query.order === 'agenda' ? change(query) : query),
  )

const isDue = (agenda: Agenda): agenda is Extract<Agenda, { readonly dueMs: number }> => 'dueMs' in agenda
const placeOf = ({ auctionId: _, ...place }: AgendaUpdate): Agenda =>
  'checkMs' in place ? { dueMs: place.checkMs } : place

/** Keeps one of several updates of an auction, as a statement does that joins them with a table. */
const onlyOne = (which: 0 | -1) => (updates: readonly AgendaUpdate[]) =>
  updates.filter((update) => updates.filter(({ auctionId }) => auctionId === update.auctionId).at(which) === update)

const beginning: readonly StoreMutation[] = [
  wrongStep('puts auctions on the agenda at their ends only', atStart, 'firstAgenda', ({ endTime }) => ({
    dueMs: endTime.epochMs,
  })),
  wrongStep('treats an auction that starts at its creation as pending', atStart, 'firstAgenda', (auction) =>
    rightSteps.firstAgenda({ ...auction, createdAtMs: auction.createdAtMs - 1 }),
  ),
  wrongStep('keeps pending auctions pending', atStart, 'nextAgenda', (agenda, update) => {
    const next = rightSteps.nextAgenda(agenda, update)
    return 'dueMs' in agenda && 'dueMs' in next ? { ...next, isPending: agenda.isPending === true } : next
  }),
  wrongStep('puts auctions on the agenda at their latest ends', atEnd, 'firstAgenda', ({ endTime, softClose }) => ({
    dueMs: (softClose?.latestEndTime ?? endTime).epochMs,
  })),
  wrongStep('puts auctions on the agenda at the full second', [atEnd, allTimes], 'firstAgenda', ({ endTime }) => ({
    dueMs: Math.floor(endTime.epochMs / 1000) * 1000,
  })),
  wrongStep('puts only auctions with a soft close on the agenda', atEnd, 'firstAgenda', ({ endTime, softClose }) =>
    softClose ? { dueMs: endTime.epochMs } : { endedMs: 0 },
  ),
  wrongStep('keeps places from 1970 on', allTimes, 'firstAgenda', ({ endTime }) => ({
    dueMs: Math.max(0, endTime.epochMs),
  })),
  wrongStep('treats a place before 1970 as an end', allTimes, 'firstAgenda', ({ endTime }) =>
    endTime.epochMs < 0 ? { endedMs: 0 } : { dueMs: endTime.epochMs },
  ),
  wrongStep(
    'treats a place at 0 as none',
    allTimes,
    'isPassedOver',
    (placed, query) => rightSteps.isPassedOver(placed, query) || (query.order === 'agenda' && placed.timeMs === 0),
  ),
  wrongStep('keeps places in single precision', [allTimes, atEnd], 'firstAgenda', ({ endTime }) => ({
    dueMs: Math.fround(endTime.epochMs),
  })),
  asking('does not know by when auctions are due', [boundary, later], ({ dueByMs: _, ...query }) => query),
  asking('omits auctions that are due at the exact time', [boundary, later], (query) =>
    query.dueByMs === undefined ? query : { ...query, dueByMs: query.dueByMs - 1 },
  ),
  asking('lists auctions that are due a millisecond later', [boundary, later], (query) =>
    query.dueByMs === undefined ? query : { ...query, dueByMs: query.dueByMs + 1 },
  ),
  asking('takes 0 for no time', allTimes, ({ dueByMs, ...query }) => (dueByMs ? { ...query, dueByMs } : query)),
  asking('ignores the due filter from the second page on', boundary, ({ dueByMs, ...query }) =>
    dueByMs === undefined || query.after ? query : { ...query, dueByMs },
  ),
  wrongCall('returns a next page after the due auctions', boundary, 'listAuctions', async (right, query) => {
    const page = await right.listAuctions(query)
    if (query.dueByMs === undefined || page.next !== undefined) return page
    const { dueByMs: _, ...all } = query
    return { ...page, next: (await right.listAuctions(all)).next }
  }),
]

const moving: readonly StoreMutation[] = [
  changing('never moves a place', [later, whileMoving], (agenda, update) => 'dueMs' in update && agenda),
  changing('moves places to earlier times', [later, atOnce], (agenda, update) =>
    isDue(agenda) ? placeOf(update) : agenda,
  ),
  changing(
    'moves places by at least a second',
    later,
    (agenda, update) => isDue(agenda) && 'dueMs' in update && update.dueMs < agenda.dueMs + 1_000 && agenda,
  ),
  changing(
    'moves a place by its new time',
    later,
    (agenda, update) =>
      isDue(agenda) && 'dueMs' in update && update.dueMs > agenda.dueMs && { dueMs: agenda.dueMs + 1_000 },
  ),
  wrongCalls('moves the end of an auction with its place', onlyPlace, (right) => {
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
  }),
  wrongCalls('lists a moved auction without its texts', onlyPlace, (right) => {
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
  }),
  changing(
    'treats moved auctions as ended',
    [later, onlyPlace],
    (_, update) => 'dueMs' in update && { endedMs: update.dueMs },
  ),
]

const corrections: readonly StoreMutation[] = [
  updating('ignores how often an auction was corrected', [corrected, several, atOnce], (updates) =>
    updates.map(({ auctionId, ...update }) => {
      const { corrections: _, ...rest } = { corrections: 0, ...update }
      return { auctionId, ...rest }
    }),
  ),
  changing(
    'moves places of more corrections only to later times',
    [corrected, several, atOnce],
    (agenda, update) => isDue(agenda) && 'dueMs' in update && update.dueMs <= agenda.dueMs && agenda,
  ),
  changing(
    'moves places of fewer corrections to later times',
    [corrected, several, atOnce],
    (agenda, update) => isDue(agenda) && 'dueMs' in update && update.dueMs > agenda.dueMs && placeOf(update),
  ),
  changing(
    'moves places of as many corrections to earlier times',
    [corrected, several],
    (agenda, update) =>
      isDue(agenda) &&
      'dueMs' in update &&
      update.corrections !== undefined &&
      update.corrections === agenda.corrections &&
      placeOf(update),
  ),
  changing(
    'forgets how often an auction was corrected',
    [corrected, several, atOnce],
    (agenda, update) => isDue(agenda) && 'dueMs' in update && (update.corrections ?? 0) > 0 && { dueMs: update.dueMs },
  ),
  changing(
    'puts ended auctions on the agenda again after a correction',
    corrected,
    (agenda, update) => !isDue(agenda) && 'dueMs' in update && (update.corrections ?? 0) > 20 && placeOf(update),
  ),
]

const checks: readonly StoreMutation[] = [
  updating('ignores checks', forward, (updates) => updates.filter((update) => !('checkMs' in update))),
  updating('makes the checks of a call first', forward, (updates) => {
    const placed = new Set(updates.flatMap((update) => ('checkMs' in update ? [] : [update.auctionId])))
    return updates.filter((update) => !('checkMs' in update && placed.has(update.auctionId)))
  }),
  updating('makes the last check of an auction in a call', forward, (updates) => {
    const isLast = ({ auctionId }: AgendaUpdate, index: number) =>
      !updates.slice(index + 1).some((update) => 'checkMs' in update && update.auctionId === auctionId)
    return updates.filter((update, index) => !('checkMs' in update) || isLast(update, index))
  }),
  changing(
    'moves auctions to later times by checks',
    forward,
    (agenda, update) => isDue(agenda) && 'checkMs' in update && { ...agenda, dueMs: update.checkMs },
  ),
  changing(
    'opens pending auctions by checks',
    forward,
    (agenda, update) =>
      isDue(agenda) &&
      'checkMs' in update &&
      update.checkMs < agenda.dueMs && { ...agenda, dueMs: update.checkMs, isPending: false },
  ),
  changing(
    'forgets corrections by checks',
    forward,
    (agenda, update) =>
      isDue(agenda) &&
      'checkMs' in update &&
      update.checkMs < agenda.dueMs && { ...agenda, dueMs: update.checkMs, corrections: 0 },
  ),
  changing(
    'puts ended auctions on the agenda again by checks',
    forward,
    (agenda, update) => !isDue(agenda) && 'checkMs' in update && { dueMs: update.checkMs },
  ),
  changing(
    'moves ends by checks',
    forward,
    (agenda, update) => !isDue(agenda) && 'checkMs' in update && { ...agenda, endedMs: update.checkMs },
  ),
]

const ending: readonly StoreMutation[] = [
  wrongStep(
    'lists no open auctions that are due by the time of its server',
    ownTime,
    'isPassedOver',
    (placed, query) =>
      rightSteps.isPassedOver(placed, query) ||
      (query.stages !== undefined && isDue(placed.agenda) && placed.agenda.dueMs <= Date.now()),
  ),
  wrongStep('begins pending auctions by the time of its server', ownTime, 'firstAgenda', (auction) => {
    const { startTime, endTime } = auction
    return startTime.epochMs <= Date.now() ? { dueMs: endTime.epochMs } : rightSteps.firstAgenda(auction)
  }),
  wrongStep('ends auctions at the time of its server', ownTime, 'isPassedOver', (placed, query) =>
    'endedMs' in placed.agenda
      ? rightSteps.isPassedOver(placed, query) || placed.agenda.endedMs > Date.now()
      : rightSteps.isPassedOver(placed, query),
  ),
  changing('keeps ended auctions on the agenda', [forGood, anyTime], (agenda, update) => 'endedMs' in update && agenda),
  changing(
    'puts ended auctions on the agenda again',
    [forGood, atOnce, several],
    (agenda, update) => !isDue(agenda) && placeOf(update),
  ),
  changing(
    'puts ended auctions on the agenda again at a time after their end',
    forGood,
    (agenda, update) => !isDue(agenda) && 'dueMs' in update && update.dueMs > agenda.endedMs && placeOf(update),
  ),
  changing(
    'refuses the second end of an auction',
    forGood,
    (agenda, update) => !isDue(agenda) && 'endedMs' in update && { dueMs: update.endedMs },
  ),
  changing(
    'keeps the last end of an auction',
    forGood,
    (agenda, update) => !isDue(agenda) && 'endedMs' in update && placeOf(update),
  ),
  changing(
    'keeps the earliest end of an auction',
    forGood,
    (agenda, update) => !isDue(agenda) && 'endedMs' in update && update.endedMs < agenda.endedMs && placeOf(update),
  ),
  changing(
    'does not end auctions before their place',
    anyTime,
    (agenda, update) => isDue(agenda) && 'endedMs' in update && update.endedMs < agenda.dueMs && agenda,
  ),
  changing(
    'does not end auctions before 1970',
    anyTime,
    (agenda, update) => 'endedMs' in update && update.endedMs < 0 && agenda,
  ),
  changing(
    'treats an end at 0 as none',
    anyTime,
    (agenda, update) => 'endedMs' in update && update.endedMs === 0 && agenda,
  ),
  wrongCalls('resets the place of an auction that is inserted again', again, (right) => {
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
        const isListed = (id: number) => (query.order === 'newest' && !query.stages) || !ended.has(id)
        return { items: items.filter(({ auction }) => isListed(auction.id)), next }
      },
    }
  }),
  wrongCall(
    'moves a place to the end of an auction that is inserted again',
    again,
    'insertAuction',
    async (right, auction) => {
      const result = await right.insertAuction(auction)
      const update = { auctionId: auction.id, dueMs: auction.endTime.epochMs }
      if (result === 'taken') await right.updateAgenda([update])
      return result
    },
  ),
]

const together: readonly StoreMutation[] = [
  wrongCall('throws for an auction that it does not have', unknown, 'updateAgenda', async (right, updates) => {
    for (const { auctionId } of updates) {
      if ((await right.findAuction(auctionId)) === undefined) throw new RangeError('no such auction')
    }
    await right.updateAgenda(updates)
  }),
  wrongCall('stops at an auction that it does not have', unknown, 'updateAgenda', async (right, updates) => {
    for (const update of updates) {
      if ((await right.findAuction(update.auctionId)) === undefined) return
      await right.updateAgenda([update])
    }
  }),
  wrongCalls('keeps updates for auctions that come later', unknown, (right) => {
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
  }),
  wrongCall('throws for an empty update', unknown, 'updateAgenda', async (right, updates) => {
    if (updates.length === 0) throw new RangeError('nothing to update')
    await right.updateAgenda(updates)
  }),
  updating('does the first update of an auction only', several, onlyOne(0)),
  updating('does the last update of an auction only', several, onlyOne(-1)),
  updating('does the first update only', [unknown, several], (updates) => updates.slice(0, 1)),
  wrongCalls('reads a place, and moves it later', atOnce, (right) => {
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
  }),
  wrongCalls('refuses concurrent updates', [atOnce, several], (right) => {
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
  }),
]

const paging: readonly StoreMutation[] = [
  wrongCall(
    'starts the agenda again after the place has moved',
    whileMoving,
    'listAuctions',
    async (right, { after, ...query }) => {
      if (after === undefined || query.order === 'newest') {
        return right.listAuctions({ ...query, ...(after && { after }) })
      }
      const { items } = await right.listAuctions({ order: 'agenda', limit: 1_000 })
      const isThere = items.some(({ position }) => position.timeMs === after.timeMs && position.id === after.id)
      const isAny = (await right.findAuction(after.id)) !== undefined
      return right.listAuctions(isThere || !isAny ? { ...query, after } : query)
    },
  ),
  wrongCall(
    'continues at the current place of the last auction of a page',
    whileMoving,
    'listAuctions',
    async (right, { after, ...query }) => {
      if (after === undefined) return right.listAuctions(query)
      const { items } = await right.listAuctions({ order: query.order, limit: 1_000 })
      const now = items.find(({ auction }) => auction.id === after.id)?.position
      return right.listAuctions({ ...query, after: now ?? after })
    },
  ),
  wrongCalls('lists as open what was open at the first page', openPages, (right) => {
    let open: ReadonlySet<number> = new Set()
    return {
      listAuctions: async (query) => {
        if (query.order === 'agenda' || query.stages === undefined) return right.listAuctions(query)
        if (query.after === undefined) {
          const { items } = await right.listAuctions({ order: 'newest', stages: agendaStages, limit: 1_000 })
          open = new Set(items.map(({ auction }) => auction.id))
        }
        const { items } = await right.listAuctions({ ...query, stages, limit: 1_000 })
        const found = items.filter(({ auction }) => open.has(auction.id))
        const page = found.slice(0, query.limit)
        return { items: page, next: found.length > page.length ? page.at(-1)?.position : undefined }
      },
    }
  }),
  wrongCall('treats all auctions as open', [forGood, openPages], 'listAuctions', (right, { stages: _, ...query }) =>
    right.listAuctions(query),
  ),
  wrongCall('lists open auctions by the agenda', openPages, 'listAuctions', async (right, query) => {
    if (query.order === 'agenda' || !query.stages) return right.listAuctions(query)
    const { items, next } = await right.listAuctions(query)
    return { items: items.toSorted((a, b) => a.auction.endTime.epochMs - b.auction.endTime.epochMs), next }
  }),
]

export const agendaMutations: readonly StoreMutation[] = [
  ...beginning,
  ...moving,
  ...corrections,
  ...checks,
  ...ending,
  ...together,
  ...paging,
]
