import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createSealer } from '@auction/adapters/sealer'
import type { Sealer } from '@auction/domain'
import type { Configuration } from '../configuration/configuration.ts'
import { sealerKeysIn } from '../configuration/sealer-keys.ts'
import type { SettingName } from '../configuration/settings.ts'

type Chosen = Pick<Configuration, 'sealedBidsKeys' | 'store'>

/** What seals bids, and where its key is, for the log. */
export type LoadedSealer = { readonly sealer: Sealer; readonly keyFile?: string; readonly isNew?: boolean }

/**
 * The sealer with the keys that are set, or with the key in a file next to a SQLite database; undefined without a key.
 * @param canCreate whether a SQLite database without a key file gets one
 * @throws Error that names the setting of an unreadable key file
 */
export function loadSealer({ sealedBidsKeys, store }: Chosen, canCreate: boolean): LoadedSealer | undefined {
  if (sealedBidsKeys !== undefined) return { sealer: createSealer(sealedBidsKeys) }
  // The bids end with the process, and so does their key.
  if (store.kind === 'memory') return { sealer: createSealer([randomBytes(32)]) }
  if (store.kind !== 'sqlite') return undefined
  const keyFile = `${resolve(store.file)}.sealed-bids-key`
  const setting: SettingName = 'SEALED_BIDS_KEY'
  const failed = (reason: string) => new Error(`${setting}: is not set, and the file ${keyFile} ${reason}`)
  try {
    const isNew = canCreate && !existsSync(keyFile) && createKeyFile(keyFile)
    if (!existsSync(keyFile)) return undefined
    const keys = sealerKeysIn(readFileSync(keyFile, 'utf8').trim())
    if (!keys.ok) throw failed(keys.refusal)
    return { sealer: createSealer(keys.value), keyFile, isNew }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw failed(`cannot be read or created: ${error.message}`)
    throw error
  }
}

/**
 * Creates the file whole, and on the disk, before its name exists: another process may start at the same time, and bids
 * without their key would be lost. Returns whether this process did.
 */
function createKeyFile(file: string): boolean {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
    linkSync(temporary, file)
    flushFolder(dirname(file))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Keeps the name of a file in a folder through a power failure. */
function flushFolder(folder: string): void {
  // Windows opens no folder, and writes names itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
