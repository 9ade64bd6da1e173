import type { Appended, Entry } from '../../../src/store/store.ts'
import type { EventPage, ListEvents } from '../../../src/use-cases/list-events.ts'
import { maxPageSize } from '../../../src/values/page.ts'
import { accepted } from '../../../src/values/result.ts'
import { type PlantedBugs, withService, withStore, withStoreOfProcess } from './planted.ts'

type Query = Parameters<ListEvents>[1]

/** Changes pages of events. */
const withPage = (change: (page: EventPage, query: Query) => EventPage) =>
  withService((right) => ({
    async listEvents(auctionId, query) {
      const read = await right.listEvents(auctionId, query)
      return read.ok ? accepted(change(read.value, query)) : read
    },
  }))

/** Bugs in following auctions. */
export const bugsInFollowers: PlantedBugs = {
  'a follower trusts the sequence of a hint': () => ({
    follower: { readAfter: (position, noticed) => Math.max(position, noticed - 1) },
  }),

  'a follower that reconnects gets its last event again': () => ({
    follower: { resumeFrom: (position) => position - 1 },
  }),

  'the position after a page is a count of its events': withPage((page, { after }) => ({
    ...page,
    position: after + page.items.length,
  })),

  'a page of events skips its first': withPage(({ items, ...page }) => ({ ...page, items: items.slice(1) })),

  'the events of a page are newest first': withPage(({ items, ...page }) => ({ ...page, items: items.toReversed() })),

  'an event has the maximum of its bid': withPage(({ items, ...page }) => ({
    ...page,
    items: items.map((event) =>
      event.type === 'bids' ? { ...event, leaderMaximumMinor: event.currentPriceMinor } : event,
    ),
  })),

  'an event has the prices from before it': withPage(({ items, ...page }) => ({
    ...page,
    items: items.map((event, index) => {
      const before = items[index - 1]
      if (event.type !== 'bids' || before?.type !== 'bids') return event
      return { ...event, currentPriceMinor: before.currentPriceMinor }
    }),
  })),

  'the event of a correction names no terms': withPage(({ items, ...page }) => ({
    ...page,
    items: items.map((event) =>
      event.type === 'corrected'
        ? { ...event, fields: event.fields.filter((name) => ['title', 'description', 'metadata'].includes(name)) }
        : event,
    ),
  })),

  'a leader who stays counts as outbid': withPage(({ items, ...page }) => ({
    ...page,
    items: items.map((event, index) => {
      const before = items[index - 1]
      if (event.type !== 'bids' || before?.type !== 'bids' || before.leaderId === undefined) return event
      return { ...event, previousLeaderId: before.leaderId }
    }),
  })),

  'a page of events is at the head where its entries end': withService((right) => ({
    async listEvents(auctionId, query) {
      const all = await right.listEvents(auctionId, { ...query, limit: maxPageSize })
      return all.ok ? accepted({ ...all.value, items: all.value.items.slice(0, query.limit) }) : all
    },
  })),

  'reads of events in flight are shared by their position only': withService((right) => {
    const reads = new Map<number, ReturnType<ListEvents>>()
    return {
      listEvents(auctionId, query) {
        const inFlight = reads.get(query.after)
        if (inFlight !== undefined) return inFlight
        const read = right.listEvents(auctionId, query).finally(() => reads.delete(query.after))
        reads.set(query.after, read)
        return read
      },
    }
  }),

  'a page of events is kept': withService((right) => {
    const pages = new Map<string, Awaited<ReturnType<ListEvents>>>()
    return {
      async listEvents(auctionId, query) {
        const key = `${auctionId}/${query.after}`
        const page = pages.get(key) ?? (await right.listEvents(auctionId, query))
        pages.set(key, page)
        return page
      },
    }
  }),

  'the first call of a watch is left out': withService((right) => ({
    watchAuction(auctionId, onEntries) {
      let calls = 0
      return right.watchAuction(auctionId, (sequence) => {
        calls += 1
        if (calls > 1) onEntries(sequence)
      })
    },
  })),

  'a new entry wakes only the last follower': withService((right) => {
    const last = new Map<number, object>()
    return {
      watchAuction(auctionId, onEntries) {
        const own = {}
        last.set(auctionId, own)
        return right.watchAuction(auctionId, (sequence) => void (last.get(auctionId) === own && onEntries(sequence)))
      },
    }
  }),

  'a store tells a process of the appends of that process only': withStoreOfProcess((right) => {
    const own = new Set<string>()
    const keyOf = ({ auctionId, sequence }: Appended) => `${auctionId}/${sequence}`
    return {
      append(entries, options) {
        for (const entry of entries) own.add(keyOf(entry))
        return right.append(entries, options)
      },
      async appendedSince(mark) {
        const since = await right.appendedSince?.(mark)
        return since && { ...since, appended: since.appended?.filter((each) => own.has(keyOf(each))) }
      },
    }
  }),

  'events show an entry that lost against another': withStore((right) => {
    const lost = new Map<string, Entry>()
    const keyOf = ({ auctionId, sequence }: Entry) => `${auctionId}/${sequence}`
    return {
      async append(entries) {
        const stored = await right.append(entries)
        for (const entry of entries.slice(stored)) lost.set(keyOf(entry), entry)
        return stored
      },
      async listEntries(auctionId, query) {
        const entries = await right.listEntries(auctionId, query)
        return entries.map((entry) => lost.get(keyOf(entry)) ?? entry)
      },
    }
  }),
}
