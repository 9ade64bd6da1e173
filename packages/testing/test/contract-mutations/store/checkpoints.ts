import { createMemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongHandles, wrongOnFailure } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { mapOperations, rightSubject } from '../subjects.ts'
import { remembering } from './remembering.ts'

const named = (name: string): string => `${name}, if it has checkpoints`
const highest = named('keeps the highest sequence of each auction and name')
const race = named('keeps the highest of the sequences that two handles save at once')
const many = named('saves, finds and removes many checkpoints in one call')
const visible = named('shows saved and removed checkpoints to all handles at once')
const pages = named('lists checkpoints by auction and by the code units of the name, page by page')
const removes = named('removes the given checkpoints and no others')
const kept = named('keeps checkpoints after it is reopened')
const unavailable = named('fails calls for checkpoints with the code store-unavailable and a cause while it is')

const rightCheckpoints = (): Checkpoints => createMemoryStore().checkpoints as Checkpoints // It has them.

/** A store with some operations on checkpoints replaced. */
const replaced: Plant<(right: Checkpoints) => Partial<Checkpoints>> = (bug, caughtBy, breaks) =>
  wrongHandles(bug, caughtBy, ({ checkpoints = rightCheckpoints() }) => ({
    checkpoints: { ...checkpoints, ...breaks(checkpoints) },
  }))

const textOf = ({ auctionId, name }: CheckpointKey): string => `${auctionId}/${name}`

/** A store that writes what it has read before, without a condition. */
const readsFirst = (right: Checkpoints): Partial<Checkpoints> => ({
  async save(checkpoints) {
    const before = new Map(
      (await right.find(checkpoints.map(({ auctionId }) => auctionId))).map((each) => [textOf(each), each]),
    )
    await pause()
    await right.remove(checkpoints)
    await right.save(
      checkpoints.map((each) => ({
        ...each,
        sequence: Math.max(each.sequence, before.get(textOf(each))?.sequence ?? -1),
      })),
    )
  },
})

const listing = (bug: string, change: (page: readonly Checkpoint[]) => readonly Checkpoint[]): StoreMutation =>
  replaced(bug, pages, ({ list }) => ({ list: async (query) => change(await list(query)) }))

/** A store that does something else while it is unavailable. */
const inOutage = (bug: string, operation: keyof Checkpoints, instead: () => Promise<never[]>): StoreMutation =>
  wrongOnFailure(bug, unavailable, (right, power) =>
    mapOperations(right, (call, name) =>
      name === `checkpoints.${operation}`
        ? async (...args) => (power.isOff ? ((await instead()) as never) : call(...args)) // The result without data.
        : call,
    ),
  )

export const checkpointMutations: readonly StoreMutation[] = [
  replaced('overwrites checkpoints with lower sequences', highest, ({ save, remove }) => ({
    async save(checkpoints) {
      await remove(checkpoints)
      await save(checkpoints)
    },
  })),
  replaced('compares sequences before it saves them', race, readsFirst),
  replaced('keeps one sequence for all names of an auction', [highest, pages, removes], ({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, name: 'a' }))),
  })),
  replaced('saves no checkpoint of an auction without events', kept, ({ save }) => ({
    save: (checkpoints) => save(checkpoints.filter(({ sequence }) => sequence >= 0)),
  })),
  replaced('saves sequences as 32-bit integers', highest, ({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: each.sequence | 0 }))),
  })),
  replaced('repeats checkpoints of a repeated auction', highest, ({ find }) => ({
    find: async (ids) => (await Promise.all(ids.map((id) => find([id])))).flat(),
  })),
  replaced('finds all checkpoints', [highest, removes], ({ list }) => ({ find: () => list({ limit: 2_000 }) })),
  replaced('saves at most 100 checkpoints', many, ({ save }) => ({ save: (all) => save(all.slice(0, 100)) })),
  replaced('finds at most 100 auctions', many, ({ find }) => ({ find: (ids) => find(ids.slice(0, 100)) })),
  replaced('removes at most 100 checkpoints', many, ({ remove }) => ({ remove: (all) => remove(all.slice(0, 100)) })),
  wrongHandles('keeps checkpoints in each handle', [race, visible], () => ({ checkpoints: rightCheckpoints() })),
  replaced(
    'returns before it has saved',
    [highest, race, many, visible, pages, removes, kept, unavailable],
    ({ save }) => ({
      save: async (checkpoints) => void pause().then(() => save(checkpoints)),
    }),
  ),
  listing('lists auctions by their text', (page) => page.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))),
  replaced('repeats the last checkpoint on the next page', pages, ({ list }) => ({
    list: async ({ after, limit }) => {
      const found = await list({ limit: 2_000 })
      const from = after === undefined ? 0 : found.findIndex((each) => textOf(each) >= textOf(after))
      return found.slice(Math.max(from, 0)).slice(0, limit)
    },
  })),
  replaced('skips other names of the last auction on the next page', pages, ({ list }) => ({
    list: ({ after, limit }) => list({ after: after && { ...after, name: '~' }, limit }),
  })),
  replaced('ignores the limit of a list', pages, ({ list }) => ({
    list: ({ after }) => list({ after, limit: 2_000 }),
  })),
  replaced('removes all checkpoints of an auction', removes, ({ find, remove }) => ({
    remove: async (keys) => remove(await find(keys.map(({ auctionId }) => auctionId))),
  })),
  replaced('keeps removed checkpoints', [many, visible, removes], () => ({ remove: async () => undefined })),
  wrongHandles('caches lists of checkpoints in each handle', visible, ({ checkpoints = rightCheckpoints() }) => ({
    checkpoints: { ...checkpoints, list: remembering(checkpoints.list) },
  })),
  ...(['find', 'list'] as const).map((operation) =>
    inOutage(`returns no checkpoints in ${operation} while it is unavailable`, operation, async () => []),
  ),
  ...(['save', 'find', 'list', 'remove'] as const).map((operation) =>
    inOutage(`does not report why it failed to ${operation} checkpoints`, operation, async () => {
      throw new StoreUnavailableError('the store is unavailable')
    }),
  ),
  {
    bug: 'loses checkpoints when it is reopened',
    makeSubject: () => {
      const right = createMemoryStore()
      const reopen = async () => ({ ...right, checkpoints: rightCheckpoints() })
      return { ...rightSubject(), store: right, reopen }
    },
    caughtBy: [kept],
  },
  {
    bug: 'saves checkpoints while it is unavailable or closed',
    makeSubject: () => {
      const subject = rightSubject()
      const checkpoints = rightCheckpoints()
      return {
        ...subject,
        store: { ...subject.store, checkpoints },
        reopen: async () => ({ ...subject.store, checkpoints }),
      }
    },
    caughtBy: [unavailable, 'refuses every call with the code store-unavailable after it is closed'],
  },
]
