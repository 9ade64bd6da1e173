import type { Store } from '@auction/domain/store'
import { createPlainStore } from '../../../../domain/test/support/plain-store.ts'
import { operations } from '../../../src/store-contract/operations.ts'
import { mapOperations, rightSubject, type StoreMutation, withClosing } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const waits = 'waits for calls in flight when it is closed, and keeps what they return'
const refuses = 'refuses every call with the code store-unavailable after it is closed'
const once = 'closes once, for any number of calls of close'

/** A store whose appends and reads take time, with a bug in its close. */
const closing = (
  bug: string,
  close: (isClosed: () => void, right: () => Promise<void>) => Promise<void>,
  ...caughtBy: readonly string[]
): StoreMutation => ({
  bug,
  makeSubject: () => {
    const right = createPlainStore()
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

/** A correct store, except for one operation. */
const changing = (
  bug: string,
  operation: string,
  instead: <Value>(call: () => Promise<Value>, isClosed: () => boolean) => Promise<Value>,
  ...caughtBy: readonly string[]
): StoreMutation => ({
  bug,
  makeSubject: () => {
    const subject = rightSubject()
    let isClosed = false
    return {
      ...subject,
      store: mapOperations(subject.store, (call, name) =>
        name === operation
          ? (...args) =>
              instead(
                () => call(...args),
                () => isClosed,
              )
          : call,
      ),
      closeStore: async () => {
        isClosed = true
        await subject.closeStore?.()
      },
    }
  },
  caughtBy,
})

export const closingMutations: readonly StoreMutation[] = [
  {
    bug: 'cannot be closed, and does not report that',
    makeSubject: () => {
      const { closeStore: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: ['runs with a closed store'],
  },
  closing('does not wait for calls in flight', async (_, close) => void close(), waits),
  closing(
    'reports writes as stored that it omitted at its close',
    async (setClosed, close) => {
      setClosed()
      await close()
    },
    waits,
  ),
  closing('works after it is closed', async () => undefined, refuses, once),
  {
    bug: 'hangs when it is closed twice',
    makeSubject: () => {
      const subject = rightSubject()
      let isClosed = false
      return {
        ...subject,
        closeStore: async () => {
          if (isClosed) await new Promise(() => undefined)
          isClosed = true
          await subject.closeStore?.()
        },
      }
    },
    caughtBy: [once],
  },
  {
    bug: 'throws when it is closed twice',
    makeSubject: () => {
      const subject = rightSubject()
      let isClosed = false
      return {
        ...subject,
        closeStore: async () => {
          if (isClosed) throw new Error('the pool is closed')
          isClosed = true
          await subject.closeStore?.()
        },
      }
    },
    caughtBy: [once],
  },
  ...Object.keys(operations).map((operation) =>
    changing(
      `does not wait for ${operation} when it is closed`,
      operation,
      async (call) => {
        await pause()
        return call()
      },
      `waits for ${operation} in flight when it is closed`,
    ),
  ),
  ...[
    ...['findAuction', 'listAuctions', 'updateAgenda', 'append', 'findHeads', 'claimIdBlock'],
    ...['commitMark', 'checkpoints.list'],
  ].flatMap((operation) => {
    const after = (bug: string, instead: () => Promise<never>): StoreMutation =>
      changing(
        `${bug} in ${operation} once it is closed`,
        operation,
        (call, isClosed) => (isClosed() ? instead() : call()),
        refuses,
      )
    return [
      after('hangs', () => new Promise(() => undefined)),
      after('throws its driver’s error', async () => {
        throw new Error('Cannot use a pool after calling end on the pool')
      }),
    ]
  }),
  {
    bug: 'returns a commit mark after it is closed',
    makeSubject: () => {
      const subject = rightSubject()
      return { ...subject, store: { ...subject.store, commitMark: async () => 1 } }
    },
    caughtBy: [refuses],
  },
]
