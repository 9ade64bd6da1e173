import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sampleAuction, sampleEntries } from '@auction/domain/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore, type SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { testFile } from './support.ts'

const page = new URL('../../../../docs/how-to/keep-data-in-sqlite.md', import.meta.url)

/** Runs a command of the page, as it stands there, in a folder. */
async function run(name: string, folder: string): Promise<string> {
  const text = await readFile(page, 'utf8')
  const command = new RegExp(`<!-- run: ${name} -->\\n+\`\`\`sh\\n([^]*?)\`\`\``).exec(text)?.[1]
  if (command === undefined) throw new Error(`the page has no command ${name}`)
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: folder, env })
  return stdout
}

async function storeIn(folder: string): Promise<SqliteStore> {
  const store = await openSqliteStore(join(folder, 'data', 'auctions.sqlite'))
  onTestFinished(() => store.close())
  return store
}

const auctionId = sampleAuction().id
const ledgerOf = (store: SqliteStore) => store.listEntries(auctionId, { limit: 999 })

test('a backup that is made while the store is written to is in good order, and has what was acknowledged before', async () => {
  const { folder } = await testFile()
  const store = await storeIn(folder)
  const entries = sampleEntries(400)
  await store.insertAuction(sampleAuction())
  await store.append(entries.slice(0, 100))
  let isBackedUp = false
  const backup = run('back-up', folder).then(() => {
    isBackedUp = true
  })
  let stored = 100
  for (; stored < 300 && !isBackedUp; stored++) await store.append(entries.slice(stored, stored + 1))
  await backup
  expect(await run('check', folder)).toContain("integrity_check: 'ok'")

  await store.append(entries.slice(stored))
  await store.close()
  await run('restore', folder)
  const restored = await storeIn(folder)
  const ledger = (await ledgerOf(restored)).toReversed()
  expect(ledger).toStrictEqual(entries.slice(0, ledger.length))
  expect(ledger.length).toBeGreaterThanOrEqual(100)
  expect(await restored.findAuction(auctionId)).toStrictEqual(sampleAuction())
  // The restored file is one like any other.
  expect(await restored.append(entries.slice(ledger.length))).toEqual({ stored: 400 - ledger.length })
})

test('a backup does not take the place of a file that is there', async () => {
  const { folder } = await testFile()
  await storeIn(folder)
  await run('back-up', folder)
  await expect(run('back-up', folder)).rejects.toThrow('output file already exists')
})

test('a file that is not there is not backed up', async () => {
  const { folder } = await testFile()
  await mkdir(join(folder, 'data'))
  await expect(run('back-up', folder)).rejects.toThrow('unable to open database file')
})

test('a restored file has nothing of the log that the old one left behind', async () => {
  const { folder } = await testFile()
  await mkdir(join(folder, 'data'))
  const first = await storeIn(folder)
  await first.append(sampleEntries(2))
  await run('back-up', folder)
  await first.append(sampleEntries(3).slice(2))
  // It is not closed, as after a crash: its log is still there.
  await run('restore', folder)
  const restored = await storeIn(folder)
  expect(await ledgerOf(restored)).toStrictEqual(sampleEntries(2).toReversed())
  await expect(first.append(sampleEntries(4).slice(3))).rejects.toThrow('was moved, deleted or replaced')
})
