// A script that uses the file of a store in a separate process. It writes lines that the test reads.
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction, sampleEntries, sampleEntry } from '@auction/testing/samples'
import { openSqliteStore, type SqliteStore } from '../../src/sqlite/sqlite-store.ts'

const say = (line: unknown): void => void process.stdout.write(`${line}\n`)
const description = 'x'.repeat(10_000)

/** Appends the first entries of an auction, writes how many are stored, and closes nothing. */
const appendAndForget = async (store: SqliteStore, count: number): Promise<void> =>
  say(await store.append(sampleEntries(count)))

/** Claims ten blocks of ids, and writes a line for each. */
async function claimBlocks(store: SqliteStore): Promise<void> {
  for (let claims = 0; claims < 10; claims++) say(await store.claimNextIdBlock('entries'))
  await store.close()
}

/** Stores auctions of 10 kB each until that fails, and writes a line for each one, and the failures. */
async function fillTheDisk(store: SqliteStore): Promise<void> {
  const describe = (error: unknown) => (isStoreUnavailable(error) ? `${error.code}: ${error.message}` : String(error))
  try {
    for (let stored = 1; ; stored++) {
      await store.insertAuction(sampleAuction({ id: stored, description }))
      const page = await store.listAuctions({ order: 'newest', limit: 1 })
      say(`stored ${stored}, reads ${page.items[0]?.auction.id}`)
    }
  } catch (error) {
    say(describe(error))
  }
  await store.append(sampleEntries(500)).catch((error: unknown) => say(describe(error)))
  await store.close()
}

/** Writes as 32 clients until the process is killed, and writes a line for each acknowledged write. */
async function writeUntilKilled(store: SqliteStore, times: number): Promise<void> {
  let lastId = times * 1_000_000

  async function write(): Promise<never> {
    const auctionId = ++lastId
    for (let sequence = 0; ; sequence += 3) {
      const id = ++lastId
      await store.insertAuction(sampleAuction({ id, description }))
      say(`auction ${id}`)
      const entries = [1, 2, 3].map((more) => sampleEntry({ id: ++lastId, auctionId, sequence: sequence + more }))
      await store.append(entries)
      say(`entries ${auctionId} ${sequence + 3}`)
      say(`block ${await store.claimNextIdBlock('entries')}`)
    }
  }

  await Promise.all(Array.from({ length: 32 }, write))
}

const scripts = { appendAndForget, claimBlocks, fillTheDisk, writeUntilKilled }
export type ScriptName = keyof typeof scripts

const [name = '', file = '', ...numbers] = process.argv.slice(2)
const script = scripts[name as ScriptName] // The cast: `startScript` accepts only these names.
try {
  const store = await openSqliteStore(file)
  await script(store, Number(numbers[0]))
} catch (error) {
  if (script !== appendAndForget) throw error
  say(String(error))
}
