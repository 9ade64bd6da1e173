import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Damage, StoreContractOptions, StoreSubject } from '@auction/testing/store-contract'
import { openFileStore } from './file-store.ts'
import { lineOf, textOf } from './journal.ts'

export const options: StoreContractOptions = {
  // In both cases the incomplete line is removed, so nothing of it is stored.
  faults: { 'a full disk': 'nothing', 'a disk that fails to sync': 'nothing' },
  without: {
    openSecondHandle: 'the file is for one process',
    halt: 'it has no server, and the domain abandons calls to a disk that hangs',
    holdKeys: 'it has no transactions',
    otherFormat: 'each row has the version of its format',
    bytesRead: 'all data is in memory',
    search: 'it has no index of words',
    bidderEntries: 'it has no index of bidders',
  },
}

/** A store in a new file, on a disk that the suite can make fail. */
export async function makeSubject(): Promise<StoreSubject> {
  const directory = await mkdtemp(join(tmpdir(), 'auctions-'))
  const path = join(directory, 'auctions.jsonl')
  let isBroken = false
  let nextFault: string | undefined
  const fails = (fault: string): boolean => {
    if (nextFault !== fault) return isBroken
    nextFault = undefined
    return true
  }

  const openFile: typeof open = async (name, flags) => {
    const file = await open(name, flags)
    const appendFile = file.appendFile.bind(file)
    const datasync = file.datasync.bind(file)
    file.appendFile = async (text) => {
      if (!fails('a full disk')) return appendFile(text)
      await appendFile(String(text).slice(0, 100))
      throw new Error('ENOSPC: no space left on device, write')
    }
    file.datasync = async () => {
      if (fails('a disk that fails to sync')) throw new Error('EIO: i/o error, fdatasync')
      await datasync()
    }
    return file
  }

  let opened = await openFileStore(path, openFile)
  async function reopen() {
    await opened.close()
    opened = await openFileStore(path, openFile)
    return store
  }
  // Calls go to the store that is open at the time; the file is damaged while no store is open.
  const store: typeof opened = new Proxy(opened, { get: (_, name) => Reflect.get(opened, name) })
  return {
    store,
    reopen,
    closeStore: () => opened.close(),
    async breakStore() {
      isBroken = true
      return async () => {
        isBroken = false
      }
    },
    async failNext(fault) {
      nextFault = fault
    },
    async damage(kind, id, damage) {
      await opened.close()
      const texts = (await readFile(path, 'utf8')).split('\n').map(textOf)
      const damaged = texts.map((text) => (text === undefined ? '' : lineOf(damagedText(text, kind, id, damage))))
      await writeFile(path, damaged.join(''))
      await reopen()
    },
    async close() {
      await opened.close()
      await rm(directory, { recursive: true })
    },
  }
}

// A line that is not JSON is a damaged file, which is refused.
const damagedFields = ({ version }: { readonly version: number }) =>
  ({
    'another version': { version: version + 1 },
    'an invalid field': { currency: 'none' },
    'text that is not JSON': { currency: '{' },
  }) satisfies Record<Damage, object>

/** A line with one damaged row; an entry has a sequence, and an auction has none. */
const damagedText = (text: string, kind: 'auction' | 'entry', id: number, damage: Damage): string =>
  JSON.stringify(JSON.parse(text), (_, value) => {
    if (value?.id !== id || value.version === undefined || 'sequence' in value !== (kind === 'entry')) return value
    return { ...value, ...damagedFields(value)[damage] }
  })
