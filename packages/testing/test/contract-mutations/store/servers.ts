import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEntry } from '../../../src/samples.ts'
import { lacking, type StoreMutation, wrongSubject } from '../planted.ts'
import { mapOperations, subjectOf } from '../subjects.ts'

const hangs = 'fails every write within 10 s while its server hangs, and works again after that'
const held = 'fails writes whose keys another session holds, and never reports them as taken'
const uncommitted = 'shows nothing that another session has stored and not committed'
const later = 'refuses to open data of a later format, with an error that names it'
const descriptions = 'reads no descriptions for lists'

/** A store that waits for its server without a time limit. */
const waiting: StoreMutation = wrongSubject('waits for its server without a time limit', hangs, ({ store }) => {
  let resumed = Promise.resolve()
  return {
    store: mapOperations(store, (call) => async (...args) => {
      await resumed
      return call(...args)
    }),
    async halt() {
      const { promise, resolve } = Promise.withResolvers<void>()
      resumed = promise
      return async () => resolve()
    },
  }
})

/** A store whose lists read whole auctions. */
function readingWhole(): StoreMutation['makeSubject'] {
  return () => {
    let bytes = 0
    const server = mapOperations(createMemoryStore(), (call) => async (...args) => {
      const value = await call(...args)
      bytes += JSON.stringify(value)?.length ?? 0
      return value
    })
    const subject = subjectOf({
      ...server,
      listAuctions: async (query) => {
        const page = await server.listAuctions(query)
        for (const { auction } of page.items) await server.findAuction(auction.id)
        return page
      },
    })
    return { ...subject, bytesRead: async () => bytes }
  }
}

export const serverMutations: readonly StoreMutation[] = [
  lacking('cannot be halted, and does not report that', 'runs with a server that hangs', 'halt'),
  lacking('has no other sessions, and does not report that', 'runs with keys that another session holds', 'holdKeys'),
  lacking('has no other format, and does not report that', 'runs with data of a later format', 'otherFormat'),
  lacking('counts no bytes, and does not report that', 'runs with the number of bytes that lists read', 'bytesRead'),
  waiting,
  wrongSubject('reports a lock time-out of an insert as taken', held, ({ store }) => ({
    store: { ...store, insertAuction: (auction) => store.insertAuction(auction).catch(() => 'taken') },
  })),
  wrongSubject('reports a lock time-out of an append as taken', held, ({ store }) => ({
    store: { ...store, append: (entries, options) => store.append(entries, options).catch(() => 0) },
  })),
  wrongSubject('shows what another session has not committed', uncommitted, ({ store, holdKeys }) => {
    let heldId = 0
    return {
      async holdKeys(id) {
        heldId = id
        return (await holdKeys?.(id)) ?? (async () => undefined)
      },
      store: {
        ...store,
        findHeads: async (ids) =>
          ids.some((id) => id === heldId) ? [sampleEntry({ id: heldId, auctionId: heldId })] : store.findHeads(ids),
      },
    }
  }),
  wrongSubject('reads data of a later format', later, ({ store }) => ({ reopen: async () => store })),
  wrongSubject('reports data of a later format as a failure that may pass', later, () => ({
    reopen: async () => {
      throw Object.assign(new Error('the data has format 99'), { code: 'store-unavailable' })
    },
  })),
  { bug: 'reads descriptions for lists', makeSubject: readingWhole(), caughtBy: descriptions },
  wrongSubject('counts bytes that are not read', descriptions, () => ({ bytesRead: async () => 0 })),
]
