import type { BidId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'

// Ids are assigned in order, so a page is full before the next one starts.
const idsPerPage = 1_000

type EntriesById = {
  get(id: BidId): Entry | undefined
  add(entry: Entry): void
}

/**
 * Entries by their ids, in pages. One map would copy all its entries each time it grows: with a million entries, that would
 * block the process for longer than a request should take.
 */
export function createEntriesById(): EntriesById {
  const pages = new Map<number, Map<BidId, Entry>>()
  const pageNumber = (id: BidId) => Math.floor(id / idsPerPage)
  return {
    get: (id) => pages.get(pageNumber(id))?.get(id),
    add(entry) {
      const number = pageNumber(entry.id)
      const page = pages.get(number)
      if (page === undefined) pages.set(number, new Map([[entry.id, entry]]))
      else page.set(entry.id, entry)
    },
  }
}
