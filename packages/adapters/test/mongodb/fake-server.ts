import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { BSON, type Document, Long } from 'mongodb'
import { onTestFinished } from 'vitest'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A server with responses of a test, for cases that a real server cannot produce on demand. */
export type FakeServer = {
  readonly uri: string
  /** The received commands, without those that open and close connections. */
  readonly commands: readonly Document[]
  close(): Promise<void>
}

export type FakeReply = Document | 'cut' | 'hang' | undefined
/** A response that is sent immediately, or later. */
export type FakeReplying = FakeReply | Promise<FakeReply>

const handshake = {
  ok: 1,
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 25,
}

/** The members that a kind of server adds to its handshake. */
export const standalone = (): Document => ({})
export const replicaSet = (address: string): Document => ({
  setName: 'rs0',
  setVersion: 1,
  hosts: [address],
  me: address,
  primary: address,
  // It announces sessions, and so retryable writes, like a gateway that cannot distinguish a retry from a first try.
  logicalSessionTimeoutMinutes: 30,
})
export const router = (): Document => ({ msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30 })

const opReply = 1
const opQuery = 2004
const opMsg = 2013
const headerBytes = 16

/**
 * Implements the part of the wire protocol that the driver needs: OP_QUERY for the first `hello`, then OP_MSG.
 * @param reply is called for each command; undefined means `{ ok: 1 }`, `cut` for a connection that breaks instead,
 *   and `hang` for no reply at all.
 * @param kind the kind that the server reports
 */
export async function startFakeServer(
  reply: (command: Document) => FakeReplying,
  kind: (address: string) => Document = standalone,
): Promise<FakeServer> {
  const commands: Document[] = []
  const sockets = new Set<Socket>()
  let address = ''

  function bytesFor(message: Buffer): Buffer | undefined | Promise<Buffer | undefined> {
    const requestId = message.readInt32LE(4)
    const hello = { ...handshake, ...kind(address) }
    if (message.readInt32LE(12) === opQuery) return opReplyTo(requestId, hello)
    const command = commandOf(message)
    if ('hello' in command || 'ismaster' in command) return opMsgTo(requestId, hello)
    if ('endSessions' in command) return opMsgTo(requestId, { ok: 1 })
    commands.push(command)
    const said = reply(command)
    return said instanceof Promise ? said.then((late) => replyWith(requestId, late)) : replyWith(requestId, said)
  }

  function replyWith(requestId: number, said: FakeReply): Buffer | undefined {
    if (said === 'cut') return undefined
    return said === 'hang' ? Buffer.alloc(0) : opMsgTo(requestId, { ok: 1, ...said })
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let buffered = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= headerBytes && buffered.length >= buffered.readInt32LE(0)) {
        const length = buffered.readInt32LE(0)
        const bytes = bytesFor(buffered.subarray(0, length))
        if (bytes === undefined) return void socket.destroy()
        if (bytes instanceof Promise) void bytes.then((late) => (late ? socket.write(late) : socket.destroy()))
        else socket.write(bytes)
        buffered = buffered.subarray(length)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast: a server that listens on a port has an address of this form.
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    uri: `mongodb://${address}/fake`,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The body of an OP_MSG, with the documents of its other sections under their names. */
function commandOf(message: Buffer): Document {
  const command: Document = {}
  let at = headerBytes + 4
  while (at < message.length) {
    const isBody = message.readUInt8(at) === 0
    const length = message.readInt32LE(at + 1)
    const section = message.subarray(at + 1, at + 1 + length)
    Object.assign(command, isBody ? BSON.deserialize(section) : sequenceOf(section))
    at += 1 + length
  }
  return command
}

function sequenceOf(section: Buffer): Document {
  const nameEnd = section.indexOf(0, 4)
  const documents: Document[] = []
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at)) {
    documents.push(BSON.deserialize(section.subarray(at, at + section.readInt32LE(at))))
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents }
}

const opMsgTo = (requestId: number, document: Document): Buffer =>
  // No flags, and one section of kind 0.
  messageOf(opMsg, requestId, Buffer.alloc(5), document)

function opReplyTo(requestId: number, document: Document): Buffer {
  const fields = Buffer.alloc(20) // Flags, cursor and position are 0.
  fields.writeInt32LE(1, 16) // One document follows.
  return messageOf(opReply, requestId, fields, document)
}

function messageOf(opCode: number, requestId: number, fields: Buffer, document: Document): Buffer {
  const body = BSON.serialize(document)
  const header = Buffer.alloc(headerBytes)
  header.writeInt32LE(headerBytes + fields.length + body.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(opCode, 12)
  return Buffer.concat([header, fields, body])
}

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
  reply: (command: Document) => FakeReply,
  { kind = standalone, uriOptions = '', timeoutMs = 5_000, maxConnections = 20, ...start }: FakeStoreOptions = {},
): Promise<FakeStore> {
  const replyToStart = createStartReplies(start)
  let isConnected = false
  const server = await startFakeServer((command) => (isConnected ? reply(command) : replyToStart(command)), kind)
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
export function createStartReplies({
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
      const wanted: readonly Document[] = command['indexes']
      const added = wanted.filter((index) => before.every(({ name }) => name !== index['name']))
      if (added.length < wanted.length && refusesTakenNames) return takenName
      made.set(collection, [...before, ...added])
      const takesMs = Math.max(...wanted.map(({ name }) => buildMs[name] ?? 0))
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
