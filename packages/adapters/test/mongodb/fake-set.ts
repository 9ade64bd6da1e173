import { type Document, ObjectId } from 'mongodb'
import { onTestFinished } from 'vitest'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'
import { createKeeper, type Keeper } from './fake-keeper.ts'
import { createStartReplies, type FakeReply, type FakeServer, startFakeServer } from './fake-server.ts'

/** A replica set of two members. A majority has the entries that both have, and reads return only those. */
export type FakeSet = {
  readonly store: MongoStore
  /** Executes a command on the primary only. */
  execute(command: Document): Document
  /** Copies the entries of the primary to the other member. */
  replicate(): void
  /** Makes the other member the primary. The former one loses the entries that only it has. */
  stepDown(): void
  /** Like `stepDown`, and breaks all connections of the former primary, which does not respond again. */
  crash(): void
  /** The entries of the primary. */
  entries(): readonly Document[]
  /** The members that responded to commands, except to those of the start. */
  readonly asked: readonly number[]
}

const notPrimary = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }

/**
 * Connects a store to a set.
 * @param reply is called for each insert of entries, and responds instead of the primary; undefined means that it
 *   executes the insert and replicates it
 */
export async function connectFakeSet(reply: (set: FakeSet, command: Document) => FakeReply): Promise<FakeSet> {
  let primary = 0
  let term = 1
  let isConnected = false
  const asked: number[] = []
  const servers: FakeServer[] = []
  const replyToStart = createStartReplies({})
  const keepers: readonly [Keeper, Keeper] = [createKeeper(isReplicated), createKeeper(isReplicated)]
  const idsOf = ({ entries }: Keeper) => entries.map(({ _id }) => _id)
  function isReplicated({ _id }: Document): boolean {
    return keepers.every((keeper) => idsOf(keeper).includes(_id))
  }
  const keeperOf = (member: number): Keeper => (member === 0 ? keepers[0] : keepers[1])
  const hostOf = ({ uri }: FakeServer) => new URL(uri).host

  const helloOf = (member: number) => (): Document => {
    const isPrimary = member === primary
    // The addresses are known before the store connects.
    const [me, primaryHost] = [member, primary].map((index) => hostOf(servers[index] as FakeServer))
    return {
      ...{ setName: 'rs0', setVersion: 1, hosts: servers.map(hostOf), me, primary: primaryHost },
      ...{ isWritablePrimary: isPrimary, ismaster: isPrimary, secondary: !isPrimary },
      ...(isPrimary && { electionId: new ObjectId(term.toString(16).padStart(24, '0')) }),
      logicalSessionTimeoutMinutes: 30,
    }
  }

  const replyOf = (member: number) => (command: Document) => {
    if (member !== primary) return notPrimary
    if (!isConnected) return replyToStart(command)
    asked.push(member)
    if (command['insert'] !== 'entries') return set.execute(command)
    const special = reply(set, command)
    if (special !== undefined) return special
    const replied = set.execute(command)
    set.replicate()
    return replied
  }

  for (const member of [0, 1]) {
    const server = await startFakeServer(replyOf(member), helloOf(member))
    onTestFinished(() => server.close())
    servers.push(server)
  }
  // The driver waits half a second between two looks for a primary by default.
  const uri = `mongodb://${servers.map(hostOf).join(',')}/fake?replicaSet=rs0&minHeartbeatFrequencyMS=20`
  const store = await connectMongoStore(uri)
  onTestFinished(() => store.close())
  isConnected = true

  const overwrite = (to: number, from: number) =>
    keeperOf(to).entries.splice(0, Number.POSITIVE_INFINITY, ...keeperOf(from).entries)
  const set: FakeSet = {
    store,
    execute: (command) => keeperOf(primary).reply(command),
    replicate: () => void overwrite(1 - primary, primary),
    stepDown() {
      overwrite(primary, 1 - primary)
      primary = 1 - primary
      term += 1
    },
    crash() {
      const crashed = servers[primary]
      set.stepDown()
      void crashed?.close()
    },
    entries: () => keeperOf(primary).entries,
    asked,
  }
  return set
}
