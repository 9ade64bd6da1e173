import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreContractOptions, StoreSubject } from '@auction/domain/testing/store-contract'
import { openFileStore } from './file-store.ts'
import type { JournalFile } from './journal.ts'

export const options: StoreContractOptions = {
  // In both cases what was written of the line is cut off again, so nothing of it stays.
  faults: { 'a full disk': 'nothing', 'a disk that fails to sync': 'nothing' },
  without: { openSecondHandle: 'the file is for one process' },
}

/** A store in a file of its own, on a disk that the suite can make fail. */
export async function makeSubject(): Promise<StoreSubject> {
  const directory = await mkdtemp(join(tmpdir(), 'auctions-'))
  let isBroken = false
  let nextFault: string | undefined
  const fails = (fault: string): boolean => {
    if (nextFault !== fault) return isBroken
    nextFault = undefined
    return true
  }

  async function openFile(path: string): Promise<JournalFile> {
    const file = await open(path, 'a+')
    return {
      readFile: () => file.readFile(),
      truncate: (size) => file.truncate(size),
      stat: () => file.stat(),
      close: () => file.close(),
      async appendFile(text) {
        if (!fails('a full disk')) return file.appendFile(text)
        await file.appendFile(text.slice(0, text.length / 2))
        throw new Error('ENOSPC: no space left on device, write')
      },
      async datasync() {
        if (fails('a disk that fails to sync')) throw new Error('EIO: i/o error, fdatasync')
        await file.datasync()
      },
    }
  }

  const openStore = () => openFileStore(join(directory, 'auctions.jsonl'), openFile)
  let store = await openStore()
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await openStore()
      return store
    },
    breakStore: async () => {
      isBroken = true
      return async () => {
        isBroken = false
      }
    },
    failNext: async (fault) => {
      nextFault = fault
    },
    close: async () => {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
}
