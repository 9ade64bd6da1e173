import { createMemoryStore } from '@auction/adapters/memory'
import type { Store } from '@auction/domain/store'
import { operations } from '../../../src/store-contract/operations.ts'
import { lacking, type Plant, type StoreMutation, wrongSubject } from '../planted.ts'
import { type CaughtBy, pause } from '../prove-contract.ts'
import { mapOperations, rightSubject, withClosing } from '../subjects.ts'

const waits = 'waits for calls in flight when it is closed, and keeps what they return'
const refuses = 'refuses every call with the code store-unavailable after it is closed'
const others = 'leaves other handles open when it is closed'
const once = 'closes once, for any number of calls of close'

/** A store whose appends and reads take time, with a bug in its close. */
const closing: Plant<(isClosed: () => void, right: () => Promise<void>) => Promise<void>> = (bug, caughtBy, close) => ({
  bug,
  makeSubject: () => {
    const right = createMemoryStore()
    let isClosed = false
    const slow: Store = {
      ...right,
      append: async (entries) => {
        await pause()
        if (isClosed) return entries.length
        return right.append(entries)
      },
    }
    const subject = withClosing({ ...rightSubject(), store: slow, reopen: async () => right })
    const setClosed = () => {
      isClosed = true
    }
    return { ...subject, closeStore: () => close(setClosed, async () => subject.closeStore?.()) }
  },
  caughtBy,
})

/** A store that does something else at its second close. */
const closingOnce = (bug: string, closeAgain: () => Promise<void>): StoreMutation =>
  wrongSubject(bug, once, ({ closeStore }) => {
    let isClosed = false
    return {
      closeStore: async () => {
        if (isClosed) return closeAgain()
        isClosed = true
        await closeStore?.()
      },
    }
  })

/** A correct store, except for one operation. */
const changing = (
  bug: string,
  caughtBy: CaughtBy,
  operation: string,
  instead: <Value>(call: () => Promise<Value>, isClosed: () => boolean) => Promise<Value>,
): StoreMutation =>
  wrongSubject(bug, caughtBy, ({ store, closeStore }) => {
    let isClosed = false
    const changed = mapOperations(store, (call, name) => async (...args) => {
      const callRight = () => call(...args)
      return name === operation ? instead(callRight, () => isClosed) : callRight()
    })
    return {
      store: changed,
      closeStore: async () => {
        isClosed = true
        await closeStore?.()
      },
    }
  })

export const closingMutations: readonly StoreMutation[] = [
  lacking('cannot be closed, and does not report that', 'runs with a closed store', 'closeStore'),
  closing('does not wait for calls in flight', waits, async (_, close) => void close()),
  closing('reports writes as stored that it omitted at its close', waits, async (setClosed, close) => {
    setClosed()
    await close()
  }),
  wrongSubject('closes its other handles, too', others, ({ store }) => ({ openSecondHandle: async () => store })),
  closing('works after it is closed', [refuses, once], async () => undefined),
  closingOnce('hangs when it is closed twice', () => new Promise(() => undefined)),
  closingOnce('throws when it is closed twice', async () => {
    throw new Error('the pool is closed')
  }),
  ...Object.keys(operations).map((operation) =>
    changing(
      `does not wait for ${operation} when it is closed`,
      `waits for ${operation} in flight when it is closed`,
      operation,
      async (call) => {
        await pause()
        return call()
      },
    ),
  ),
  ...[
    'findAuction',
    'listAuctions',
    'updateAgenda',
    'append',
    'findHeads',
    'claimNextIdBlock',
    'appendedSince',
  ].flatMap((operation) => {
    const after = (bug: string, instead: () => Promise<never>): StoreMutation =>
      changing(`${bug} in ${operation} once it is closed`, refuses, operation, (call, isClosed) =>
        isClosed() ? instead() : call(),
      )
    return [
      after('hangs', () => new Promise(() => undefined)),
      after('throws its driver’s error', async () => {
        throw new Error('Cannot use a pool after calling end on the pool')
      }),
    ]
  }),
  wrongSubject('reports appends after it is closed', refuses, ({ store }) => ({
    store: { ...store, appendedSince: async () => undefined },
  })),
]
