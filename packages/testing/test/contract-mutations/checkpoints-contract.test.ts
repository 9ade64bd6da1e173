import { createMemoryStore } from '@auction/adapters/memory'
import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import { StoreUnavailableError } from '@auction/domain/errors'
import { type CheckpointsSubject, checkpointsContract } from '../../src/checkpoints-contract.ts'
import { type CaughtBy, type Mutation, pause, proveContract } from './prove-contract.ts'
import { remembering } from './store/remembering.ts'
import { away, mapOperations } from './subjects.ts'

const createRightCheckpoints = () => createMemoryStore().checkpoints

const highest = 'keeps the highest sequence of each auction and name'
const race = 'keeps the highest of the sequences that two handles save at once'
const many = 'saves, finds and removes many checkpoints in one call'
const visible = 'shows saved and removed checkpoints to all handles at once'
const pages = 'lists checkpoints by auction and by the code units of the name, page by page'
const removes = 'removes the given checkpoints and no others'
const kept = 'keeps checkpoints after it is reopened'
const unavailable = 'fails with the code store-unavailable and a cause while the store is unavailable'
const refuses = 'refuses every call with the code store-unavailable after the store is closed'
const operations = ['save', 'find', 'list', 'remove'] as const

type CheckpointsMutation = Mutation<CheckpointsSubject>
type Change = (right: Checkpoints) => Partial<Checkpoints>
type Power = { isOff: boolean; isClosed: boolean }

/** Checkpoints whose first handle can be made unavailable and closed; `change` makes each handle wrong. */
function subjectOf(
  change: (right: Checkpoints, power: Power) => Partial<Checkpoints> = () => ({}),
): CheckpointsSubject {
  const shared = createRightCheckpoints()
  const power: Power = { isOff: false, isClosed: false }
  const underWay = new Set<Promise<unknown>>()
  const handle = (own: Power) => {
    const right = mapOperations(shared, (call) => async (...args) => {
      if (own.isOff) throw away()
      return call(...args)
    })
    return { ...right, ...change(right, own) }
  }
  const checkpoints = mapOperations(handle(power), (call) => async (...args) => {
    if (power.isClosed) throw new StoreUnavailableError('the store is closed')
    const result = call(...args)
    underWay.add(result)
    return result
  })
  const other = async () => handle({ isOff: false, isClosed: false })
  return {
    checkpoints,
    openSecondHandle: other,
    reopen: other,
    breakStore: async () => {
      power.isOff = true
      return async () => {
        power.isOff = false
      }
    },
    closeStore: async () => {
      power.isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

/** Checkpoints with some operations replaced. */
const wrongCalls = (bug: string, caughtBy: CaughtBy, change: Change): CheckpointsMutation => ({
  bug,
  caughtBy,
  makeSubject: () => subjectOf(change),
})

/** A subject with some hooks replaced. */
const wrongSubject = (
  bug: string,
  caughtBy: CaughtBy,
  breaks: (right: CheckpointsSubject) => Partial<CheckpointsSubject>,
): CheckpointsMutation => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = subjectOf()
    return { ...right, ...breaks(right) }
  },
})

const lacking = (hook: keyof CheckpointsSubject, caughtBy: string): CheckpointsMutation =>
  wrongSubject(`lacks ${hook}, and does not report that`, caughtBy, () => ({ [hook]: undefined }))

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

const listing = (bug: string, change: (page: readonly Checkpoint[]) => readonly Checkpoint[]): CheckpointsMutation =>
  wrongCalls(bug, pages, ({ list }) => ({ list: async (query) => change(await list(query)) }))

/** Checkpoints that do something else while the store is unavailable. */
const inOutage = (bug: string, operation: keyof Checkpoints, instead: () => Promise<never[]>): CheckpointsMutation => ({
  bug,
  caughtBy: unavailable,
  makeSubject: () =>
    subjectOf((right, power) =>
      mapOperations(right, (call, name) =>
        name === operation
          ? async (...args) => (power.isOff ? ((await instead()) as never) : call(...args)) // The result without data.
          : call,
      ),
    ),
})

const mutations: readonly CheckpointsMutation[] = [
  wrongCalls('overwrites checkpoints with lower sequences', highest, ({ save, remove }) => ({
    async save(checkpoints) {
      await remove(checkpoints)
      await save(checkpoints)
    },
  })),
  wrongCalls('compares sequences before it saves them', race, readsFirst),
  wrongCalls('keeps one sequence for all names of an auction', [highest, pages, removes], ({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, name: 'a' }))),
  })),
  wrongCalls('saves no checkpoint of an auction without events', kept, ({ save }) => ({
    save: (checkpoints) => save(checkpoints.filter(({ sequence }) => sequence >= 0)),
  })),
  wrongCalls('saves sequences as 32-bit integers', highest, ({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: each.sequence | 0 }))),
  })),
  wrongCalls('repeats checkpoints of a repeated auction', highest, ({ find }) => ({
    find: async (ids) => (await Promise.all(ids.map((id) => find([id])))).flat(),
  })),
  wrongCalls('finds all checkpoints', [highest, removes], ({ list }) => ({ find: () => list({ limit: 2_000 }) })),
  wrongCalls('saves at most 100 checkpoints', many, ({ save }) => ({ save: (all) => save(all.slice(0, 100)) })),
  wrongCalls('finds at most 100 auctions', many, ({ find }) => ({ find: (ids) => find(ids.slice(0, 100)) })),
  wrongCalls('removes at most 100 checkpoints', many, ({ remove }) => ({ remove: (all) => remove(all.slice(0, 100)) })),
  wrongCalls('keeps checkpoints in each handle', [race, visible, kept], createRightCheckpoints),
  wrongCalls(
    'returns before it has saved',
    [highest, race, many, visible, pages, removes, kept, unavailable],
    ({ save }) => ({
      save: async (checkpoints) => void pause().then(() => save(checkpoints)),
    }),
  ),
  listing('lists auctions by their text', (page) => page.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))),
  wrongCalls('repeats the last checkpoint on the next page', pages, ({ list }) => ({
    list: async ({ after, limit }) => {
      const found = await list({ limit: 2_000 })
      const from = after === undefined ? 0 : found.findIndex((each) => textOf(each) >= textOf(after))
      return found.slice(Math.max(from, 0)).slice(0, limit)
    },
  })),
  wrongCalls('skips other names of the last auction on the next page', pages, ({ list }) => ({
    list: ({ after, limit }) => list({ after: after && { ...after, name: '~' }, limit }),
  })),
  wrongCalls('ignores the limit of a list', pages, ({ list }) => ({
    list: ({ after }) => list({ after, limit: 2_000 }),
  })),
  wrongCalls('removes all checkpoints of an auction', removes, ({ find, remove }) => ({
    remove: async (keys) => remove(await find(keys.map(({ auctionId }) => auctionId))),
  })),
  wrongCalls('keeps removed checkpoints', [many, visible, removes], () => ({ remove: async () => undefined })),
  wrongCalls('caches lists of checkpoints in each handle', visible, ({ list }) => ({ list: remembering(list) })),
  ...(['find', 'list'] as const).map((operation) =>
    inOutage(`returns no checkpoints in ${operation} while it is unavailable`, operation, async () => []),
  ),
  ...(['save', 'find', 'list', 'remove'] as const).map((operation) =>
    inOutage(`does not report why it failed to ${operation} checkpoints`, operation, async () => {
      throw new StoreUnavailableError('the store is unavailable')
    }),
  ),
  wrongSubject('loses checkpoints when it is reopened', kept, () => ({ reopen: async () => createRightCheckpoints() })),
  wrongSubject('works after it is closed', refuses, () => ({ closeStore: async () => undefined })),
  ...operations.map((operation) =>
    wrongSubject(
      `does not wait for ${operation} when it is closed`,
      `waits for ${operation} in flight when the store is closed`,
      ({ checkpoints }) => ({
        checkpoints: mapOperations(checkpoints, (call, name) => async (...args) => {
          if (name === operation) await pause()
          return call(...args)
        }),
      }),
    ),
  ),
  lacking('openSecondHandle', 'runs with a second handle on the same checkpoints'),
  lacking('reopen', 'runs with reopened checkpoints'),
  lacking('breakStore', 'runs with unavailable checkpoints'),
  lacking('closeStore', 'runs with closed checkpoints'),
]

proveContract(checkpointsContract, subjectOf, mutations)
