import { setTimeout } from 'node:timers/promises'
import { type Document, Long } from 'mongodb'
import { onTestFinished } from 'vitest'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'
import { type FakeAnswer, standalone, startFakeServer } from './fake-server.ts'

export type FakeStore = {
  readonly store: MongoStore
  /** The notices of the store while it connected. */
  readonly notices: readonly string[]
  /** The commands sent while it connected. */
  readonly startCommands: readonly Document[]
  /** The commands sent since. */
  readonly commands: () => readonly Document[]
}

export type FakeStoreOptions = {
  readonly kind?: (address: string) => Document
  /** The options of the connection string, from `?` on. */
  readonly uriOptions?: string
  readonly timeoutMs?: number
  readonly maxConnections?: number
  /** The indexes that the server has before the store is connected, by collection. */
  readonly indexes?: Readonly<Record<string, readonly Document[]>>
  /** Refuses an index with the name of another one, as MongoDB does; otherwise creates all. */
  readonly refusesTakenNames?: boolean
  /** How long the server takes to create or check an index, by its name; the others take no time. */
  readonly buildMs?: Readonly<Record<string, number>>
}

/** A store that is connected as in production, to a server whose later responses a test decides. */
export async function connectFakeStore(
  answer: (command: Document) => FakeAnswer,
  { kind = standalone, uriOptions = '', timeoutMs = 5_000, maxConnections = 20, ...start }: FakeStoreOptions = {},
): Promise<FakeStore> {
  const answerStart = createStartAnswers(start)
  let isConnected = false
  const server = await startFakeServer((command) => (isConnected ? answer(command) : answerStart(command)), kind)
  onTestFinished(() => server.close())
  const notices: string[] = []
  const store = await connectMongoStore(`${server.uri}${uriOptions}`, {
    timeoutMs,
    maxConnections,
    onNotice: (text) => notices.push(text),
  })
  onTestFinished(() => store.close())
  isConnected = true
  const startCommands = [...server.commands]
  return {
    store,
    notices,
    startCommands,
    commands: () => server.commands.slice(startCommands.length),
  }
}

/** Responds to the commands of a start, like a server that creates the indexes. */
function createStartAnswers({
  indexes = {},
  refusesTakenNames = false,
  buildMs = {},
}: Pick<FakeStoreOptions, 'indexes' | 'refusesTakenNames' | 'buildMs'>) {
  const made = new Map(Object.entries(indexes))
  return (command: Document): Document | undefined | Promise<Document> => {
    const { listIndexes, createIndexes: collection } = command
    if (listIndexes !== undefined) return listed(made.get(listIndexes))
    if (collection !== undefined) {
      const before = made.get(collection) ?? []
      const isTaken = before.some(({ name }) => command['indexes'].some((index: Document) => index['name'] === name))
      if (isTaken && refusesTakenNames) return takenName
      if (!isTaken) made.set(collection, [...before, ...command['indexes']])
      const takesMs = command['indexes'].map(({ name }: Document) => buildMs[name] ?? 0)[0]
      return takesMs === 0 ? {} : setTimeout(takesMs, {})
    }
    if ('find' in command) return nothingFound
    if ('insert' in command) return { n: 1 }
    return 'buildInfo' in command ? { version: '8.0.0' } : undefined
  }
}

const takenName = { ok: 0, code: 86, codeName: 'IndexKeySpecsConflict', errmsg: 'An existing index has the same name' }

const listed = (indexes: readonly Document[] | undefined): Document =>
  indexes === undefined
    ? { ok: 0, code: 26, codeName: 'NamespaceNotFound', errmsg: 'ns does not exist' }
    : { cursor: { id: Long.ZERO, ns: 'fake.any', firstBatch: indexes } }

/** A find without a result. */
export const nothingFound: Document = { cursor: { id: Long.ZERO, ns: 'fake.any', firstBatch: [] } }
