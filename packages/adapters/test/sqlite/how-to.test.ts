import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { sampleAuction, sampleEntries } from '@auction/domain/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { openSqliteStore, type SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { testFile } from './support.ts'

/** Runs a command of a page, as it stands there, in a folder, whose `bin` comes first in the path. */
async function run(name: string, folder: string, page = 'keep-data-in-sqlite'): Promise<string> {
  const text = await readFile(new URL(`../../../../docs/how-to/${page}.md`, import.meta.url), 'utf8')
  const command = new RegExp(`<!-- run: ${name} -->\\n+\`\`\`sh\\n([^]*?)\`\`\``).exec(text)?.[1]
  if (command === undefined) throw new Error(`the page has no command ${name}`)
  const env = { PATH: [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const { stdout } = await runChild('sh', ['-ec', command], { cwd: folder, env })
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
  expect(await restored.append(entries.slice(ledger.length))).toBe(400 - ledger.length)
})

test('a second backup takes the place of the first, also after one that was interrupted', async () => {
  const { folder } = await testFile()
  const store = await storeIn(folder)
  await store.append(sampleEntries(1))
  await run('back-up', folder)
  await store.append(sampleEntries(2).slice(1))
  await writeFile(join(folder, 'backup.sqlite.new'), 'half a file')
  await run('back-up', folder)
  expect(await readdir(folder)).toEqual(['backup.sqlite', 'data'])
  const backup = await openSqliteStore(join(folder, 'backup.sqlite'))
  onTestFinished(() => backup.close())
  expect(await ledgerOf(backup)).toStrictEqual(sampleEntries(2).toReversed())
})

test('a backup that fails leaves the one before as it was', async () => {
  const { folder } = await testFile()
  await storeIn(folder)
  await run('back-up', folder)
  const before = await readFile(join(folder, 'backup.sqlite'))
  await rename(join(folder, 'data'), join(folder, 'elsewhere'))
  await expect(run('back-up', folder)).rejects.toThrow('unable to open database file')
  expect(await readFile(join(folder, 'backup.sqlite'))).toEqual(before)
})

// What the page calls runs here without a container, whose volume is a folder.
const programs = {
  docker: `case $1 in
  exec) shift 2 ;;
  cp) set -- cp "\${2#auctions:}" "$3" ;;
esac`,
  kubectl: 'while [ "$1" != -- ]; do shift; done; shift',
}

test.each([
  ['deploy-with-docker', 'docker'],
  ['deploy-on-kubernetes', 'kubectl'],
] as const)('the backup of %s works a second time', async (page, program) => {
  const { folder } = await testFile()
  await mkdir(join(folder, 'bin'))
  // /data is the volume of the container.
  const inContainer = `for part; do set -- "$@" "$(printf %s "$part" | sed 's|/data|${folder}/data|g')"; shift; done\nexec "$@"`
  const text = `#!/bin/sh\n${programs[program]}\n${inContainer}\n`
  await writeFile(join(folder, 'bin', program), text, { mode: 0o755 })
  const store = await storeIn(folder)
  await store.append(sampleEntries(1))
  await run('back-up', folder, page)
  await store.append(sampleEntries(2).slice(1))
  await run('back-up', folder, page)
  const backup = await openSqliteStore(join(folder, 'backup.sqlite'))
  onTestFinished(() => backup.close())
  expect(await ledgerOf(backup)).toStrictEqual(sampleEntries(2).toReversed())
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
