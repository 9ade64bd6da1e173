import { StoreUnavailableError } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { type StoreMutation, wrongOnFailure, wrongSubject } from '../planted.ts'
import { faults, rightOnDamage, rightSubject, unreadable, withDamage } from '../subjects.ts'

const revealingWhen = (when: string) =>
  `reveals no reserve, no maximum and no key in the errors of writes that fail ${when}`

const writes = ['while it is unavailable', ...Object.keys(faults).map((fault) => `because of ${fault}`)].map(
  revealingWhen,
)
const waiting = ['because another session holds their keys', 'while its server hangs'].map(revealingWhen)
const reads = ['stored under another version', 'stored with an invalid field', 'stored as text that is not JSON'].map(
  (which) => `reveals no reserve, no maximum and no key in the errors of data ${which}`,
)

/** Fails with a cause that has the values of the write. */
const revealing =
  <Args extends readonly unknown[], Value>(
    write: (...args: Args) => Promise<Value>,
    causeOf: (values: string) => Error,
  ): ((...args: Args) => Promise<Value>) =>
  async (...args) => {
    try {
      return await write(...args)
    } catch {
      throw new StoreUnavailableError('the write failed', { cause: causeOf(JSON.stringify(args)) })
    }
  }

const inStatement = (values: string) => new Error(`INSERT INTO auctions VALUES (${values}) failed`)
const inHiddenProperty = (values: string) =>
  Object.defineProperty(new Error('the statement failed'), 'parameters', {
    value: [{ bytes: new TextEncoder().encode(values) }],
  })

const inHex = (values: string) => new Error(`the parameters are 0x${Buffer.from(values).toString('hex')}`)

const failing = (bug: string, breaks: (right: Store) => Partial<Store>) => wrongOnFailure(bug, writes, breaks)

export const secretMutations: readonly StoreMutation[] = [
  failing('reveals the statement of an append in a cause', ({ append }) => ({
    append: revealing(append, inStatement),
  })),
  failing('reveals the parameters of an insert in a hidden property', ({ insertAuction }) => ({
    insertAuction: revealing(insertAuction, inHiddenProperty),
  })),
  failing('reveals the key of an append in hexadecimal digits', ({ append }) => ({ append: revealing(append, inHex) })),
  // Reads succeed while the disk is full.
  wrongOnFailure(
    'reveals the key of a read by keys',
    writes.filter((title) => !title.endsWith('a full disk')),
    ({ findEntriesByKey }) => ({ findEntriesByKey: revealing(findEntriesByKey, inStatement) }),
  ),
  wrongSubject('reveals the statement of a write that waits too long', waiting, ({ store }) => ({
    store: { ...store, append: revealing(store.append, inStatement) },
  })),
  {
    bug: 'reveals an unreadable entry in its error',
    makeSubject: () => {
      const { damage: _, ...subject } = rightSubject()
      return withDamage(subject, {
        ...rightOnDamage,
        entries: (entries, isDamaged) => {
          const damaged = entries.find(({ id }) => isDamaged(id))
          if (damaged === undefined) return entries
          throw Object.assign(unreadable('entry', damaged.id), { cause: JSON.stringify(damaged) })
        },
      })
    },
    caughtBy: reads,
  },
]
