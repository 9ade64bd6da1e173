import { existsSync } from 'node:fs'
import { createMemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError, UnreadableStoredError } from '@auction/domain/errors'
import type { AnyEntry, Entry, Store } from '@auction/domain/store'
import { expect, test } from 'vitest'
import { diskFolder } from '../src/disk.ts'
import { raceStore } from '../src/race-store.ts'

/** A server with a store that can be killed. `durably` is false for one that loses the last appends in a crash. */
function createServer({ durably }: { readonly durably: boolean }) {
  const store = createMemoryStore()
  let isRunning = true
  let refused = 0
  /** Entries that are acknowledged but not on the disk yet. */
  let unflushed: (readonly Entry[])[] = []
  const whileRunning =
    <Args extends readonly unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      await new Promise(setImmediate)
      if (!isRunning) refused += 1
      if (!isRunning) throw new StoreUnavailableError('the server is down', { cause: new Error('ECONNREFUSED') })
      return call(...args)
    }

  async function append(entries: readonly Entry[]): Promise<number> {
    if (durably) return store.append(entries)
    unflushed.push(entries)
    // The disk gets what others do not read before it.
    if (unflushed.length < 5) return entries.length
    for (const each of unflushed.splice(0)) await store.append(each)
    return entries.length
  }

  const { appendedSince: _, checkpoints: __, ...calls } = store
  const running = Object.entries({ ...calls, append }).map(([name, call]) => [name, whileRunning(call as never)])
  return {
    open: async () => Object.fromEntries(running) as Store, // The operations of the store.
    async kill() {
      while (!durably && !unflushed.flat().some(({ event }) => event.type === 'bid-placed'))
        await new Promise(setImmediate)
      isRunning = false
      unflushed = []
    },
    async restart() {
      for (refused = 0; refused < 50; ) await new Promise(setImmediate)
      isRunning = true
    },
  }
}

test('a race finds nothing wrong with a store that keeps what it acknowledged', async () => {
  const { open, kill, restart } = createServer({ durably: true })
  const { violations, attempts, entries } = await raceStore(open, { kill, restart })
  expect(violations).toEqual([])
  expect(entries).toBeGreaterThan(100)
  expect(new Set(attempts.map(({ type }) => type)).size).toBeGreaterThan(3)
  expect(new Set(attempts.map(({ response }) => response.outcome))).toContain('unknown')
})

test('a race finds that a store has lost what it acknowledged', async () => {
  const { open, kill, restart } = createServer({ durably: false })
  const found = await raceStore(open, { kill, restart, services: 1, kills: 1 }).then(
    ({ violations }) => violations.map(({ message }) => message),
    ({ message }: Error) => [message].filter((text) => text.includes('does not follow entry')), // Of a withdrawal.
  )
  expect(found.length).toBeGreaterThan(0)
})

test('a race finds bids after a refusal was returned, if handles cache the head of a register', async () => {
  const { open } = createServer({ durably: true })
  const caching = async (): Promise<Store> => {
    const store = await open()
    const cached = new Map<number, { readonly head: Entry; readonly untilMs: number }>()
    return {
      ...store,
      async findHeads(ids, signal) {
        const found: readonly AnyEntry[] = await store.findHeads(ids, signal)
        return found.map((entry) => {
          const head = entry as Entry // As stores return it.
          if (entry.kind !== 'register') return head
          const known = cached.get(entry.auctionId)
          if (known !== undefined && Date.now() < known.untilMs) return known.head
          cached.set(entry.auctionId, { head, untilMs: Date.now() + 20 })
          return head
        })
      },
    }
  }
  const { violations } = await raceStore(caching, { kills: 0, bidsPerRound: 300 })
  const messages = violations.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringMatching(/who was refused, is accepted/))
})

test('a race ends at the first error that is not of the store', async () => {
  const { open } = createServer({ durably: true })
  const broken = async () => ({
    ...(await open()),
    findAuction: async () => {
      throw new UnreadableStoredError('auction', { id: 1 }, 'an invalid field')
    },
  })
  await expect(raceStore(broken)).rejects.toThrow('the stored auction 1 has an invalid field')
})

test('a race refuses a folder in memory, where it could not find a missing flush', async ({ skip }) => {
  if (!existsSync('/dev/shm')) return skip('only Linux has it')
  const { open } = createServer({ durably: true })
  await expect(raceStore(open, { folder: '/dev/shm' })).rejects.toThrow('/dev/shm is in memory (tmpfs)')
  const { violations } = await raceStore(open, { folder: await diskFolder(), kills: 0, bidsPerRound: 1 })
  expect(violations).toEqual([])
})
