import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSealer } from '../../src/process/load-sealer.ts'
import { temporaryFolder } from '../support/server-process.ts'

function choose() {
  const folder = temporaryFolder()
  const file = join(folder, 'auctions.sqlite')
  const chosen = { sealedBidsKeys: undefined, store: { kind: 'sqlite', file } } as const
  return { folder, chosen, keyFile: `${file}.sealed-bids-key` }
}

test('the first start creates a key file for its user only, and later ones use it', () => {
  const { folder, chosen, keyFile } = choose()
  const first = loadSealer(chosen, true)
  expect(first).toMatchObject({ keyFile, isNew: true })
  expect(readdirSync(folder)).toEqual(['auctions.sqlite.sealed-bids-key'])
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  const again = loadSealer(chosen, true)
  expect(again).toMatchObject({ keyFile, isNew: false })
  expect(again?.sealer.fingerprint).toBe(first?.sealer.fingerprint)
  rmSync(keyFile)
  expect(loadSealer(chosen, true)?.sealer.fingerprint).not.toBe(first?.sealer.fingerprint)
})

test('a command creates no key file', () => {
  const { chosen, keyFile } = choose()
  expect(loadSealer(chosen, false)).toBeUndefined()
  expect(existsSync(keyFile)).toBe(false)
})

test.each(['', 'not a key', readFileSync(import.meta.filename, 'utf8')])(
  'a damaged key file ends the start with its name',
  (text) => {
    const { chosen, keyFile } = choose()
    writeFileSync(keyFile, text)
    expect(() => loadSealer(chosen, true)).toThrow(
      `SEALED_BIDS_KEY: is not set, and the file ${keyFile} must be base64`,
    )
  },
)

test('a key file that cannot be created ends the start with its name', () => {
  const file = join(temporaryFolder(), 'missing', 'auctions.sqlite')
  expect(() => loadSealer({ sealedBidsKeys: undefined, store: { kind: 'sqlite', file } }, true)).toThrow(
    `SEALED_BIDS_KEY: is not set, and the file ${file}.sealed-bids-key cannot be read or created: ENOENT`,
  )
})

test('the setting comes before the file, and its first key seals', () => {
  const { chosen, keyFile } = choose()
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const both = loadSealer({ ...chosen, sealedBidsKeys: [one, other] }, true)
  expect(both?.keyFile).toBeUndefined()
  expect(existsSync(keyFile)).toBe(false)
  const swapped = loadSealer({ ...chosen, sealedBidsKeys: [other, one] }, true)
  expect(both?.sealer.has(String(swapped?.sealer.fingerprint))).toBe(true)
  expect(both?.sealer.fingerprint).not.toBe(swapped?.sealer.fingerprint)
})

test('another database without the setting has no key, and memory has one for its process', () => {
  expect(loadSealer({ sealedBidsKeys: undefined, store: { kind: 'postgresql', uri: '' } }, true)).toBeUndefined()
  expect(loadSealer({ sealedBidsKeys: undefined, store: { kind: 'memory' } }, true)?.sealer.fingerprint).toBeDefined()
})
