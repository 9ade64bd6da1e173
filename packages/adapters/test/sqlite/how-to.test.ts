import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleEntries, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { openSqliteStore, type SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import {
  blockOf,
  expectPaddleRemoved,
  expectSaleRemoved,
  expectTextsRemoved,
  serviceOn,
  storePaddles,
  storeSale,
  storeTexts,
} from '../personal-data.ts'
import { testFile } from './support.ts'

/** Runs an unchanged command of a page in a folder, whose `bin` is first in the path. */
async function run(name: string, folder: string, page = 'keep-data-in-sqlite'): Promise<string> {
  const command = await blockOf(page, name)
  const env = { PATH: [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const { stdout } = await runChild('sh', ['-ec', command], { cwd: folder, env })
  return stdout
}

async function storeIn(folder: string): Promise<SqliteStore> {
  const store = await openSqliteStore(join(folder, 'data', 'auctions.sqlite'))
  onTestFinished(() => store.close())
  return store
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777

const auctionId = sampleAuction().id
const ledgerOf = (store: SqliteStore) => store.listEntries(auctionId, { limit: 999 })

test('a backup during writes is intact, and has every write that was acknowledged before', async () => {
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
  expect(await modeOf(join(folder, 'backup.sqlite'))).toBe(0o600)

  // The store is not closed, as after a crash: its log is still there.
  await store.append(entries.slice(stored))
  await run('restore', folder)
  expect(await modeOf(join(folder, 'data', 'auctions.sqlite'))).toBe(0o600)
  const restored = await storeIn(folder)
  const ledger = (await ledgerOf(restored)).toReversed()
  expect(ledger).toStrictEqual(entries.slice(0, ledger.length))
  expect(ledger.length).toBeGreaterThanOrEqual(100)
  expect(ledger.length).toBeLessThan(400)
  expect(await restored.findAuction(auctionId)).toStrictEqual(sampleAuction())
  await expect(store.append(sampleEntries(401).slice(400))).rejects.toThrow('was moved, deleted or replaced')
  // The restored file is a normal file.
  expect(await restored.append(entries.slice(ledger.length))).toBe(400 - ledger.length)
})

test('a failed backup keeps the previous one', async () => {
  const { folder } = await testFile()
  await mkdir(join(folder, 'data'))
  await expect(run('back-up', folder)).rejects.toThrow('unable to open database file')
  await storeIn(folder)
  await run('back-up', folder)
  const before = await readFile(join(folder, 'backup.sqlite'))
  await rename(join(folder, 'data'), join(folder, 'elsewhere'))
  await expect(run('back-up', folder)).rejects.toThrow('unable to open database file')
  expect(await readFile(join(folder, 'backup.sqlite'))).toEqual(before)
})

// The commands of the pages run without a container here; the volume is a folder.
const programs = {
  none: '',
  docker: `case $1 in
  exec) shift 2 ;;
  cp) set -- cp "\${2#auctions:}" "$3" ;;
esac`,
  kubectl: 'while [ "$1" != -- ]; do shift; done; shift',
}

test.each([
  { page: 'keep-data-in-sqlite', program: 'none', unfinished: 'backup.sqlite.new' },
  { page: 'deploy-with-docker', program: 'docker', unfinished: 'data/backup.sqlite' },
  { page: 'deploy-on-kubernetes', program: 'kubectl', unfinished: 'data/backup.sqlite' },
] as const)('the second backup of $page replaces the first, even after an interrupted one', async (row) => {
  const { folder } = await testFile()
  await mkdir(join(folder, 'bin'))
  // /data is the volume of the container.
  const inContainer = `for part; do set -- "$@" "$(printf %s "$part" | sed 's|/data|${folder}/data|g')"; shift; done\nexec "$@"`
  const text = `#!/bin/sh\n${programs[row.program]}\n${inContainer}\n`
  await writeFile(join(folder, 'bin', row.program), text, { mode: 0o755 })
  const store = await storeIn(folder)
  await store.append(sampleEntries(1))
  await run('back-up', folder, row.page)
  await store.append(sampleEntries(2).slice(1))
  await writeFile(join(folder, row.unfinished), 'half a file')
  await run('back-up', folder, row.page)
  expect(await readdir(folder)).toEqual(['backup.sqlite', 'bin', 'data'])
  expect(await modeOf(join(folder, 'backup.sqlite'))).toBe(0o600)
  const backup = await openSqliteStore(join(folder, 'backup.sqlite'))
  onTestFinished(() => backup.close())
  expect(await ledgerOf(backup)).toStrictEqual(sampleEntries(2).toReversed())
})

const serviceIn = (folder: string, time: string) => serviceOn(() => storeIn(folder), time)

/** The search index: the auctions of each word. */
function idsByWord(file: string): Readonly<Record<string, readonly number[]>> {
  using database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT word, id FROM titleWords ORDER BY id').all()
  const words = Object.entries(Object.groupBy(rows, ({ word }) => String(word)))
  return Object.fromEntries(words.map(([word, found = []]) => [word, found.map(({ id }) => Number(id))]))
}

test('texts of a user can be removed, and all other data stays', async () => {
  const { folder } = await testFile()
  const first = await serviceIn(folder, '2030-01-31T12:00:00Z')
  await storeTexts(first.service)
  await storePaddles(first.service)
  await storeSale(first.service)
  await first.close()
  const wordsIn = () => idsByWord(join(folder, 'data', 'auctions.sqlite'))
  expect(wordsIn()).toMatchObject({ desk: [1, 2, 3], kontor: [3] })
  await run('remove-texts', folder, 'delete-personal-data')
  await run('remove-paddle', folder, 'delete-personal-data')
  await run('remove-sale', folder, 'delete-personal-data')
  expect(wordsIn()).toStrictEqual({ desk: [2], of: [2], user: [2], 43: [2] })

  const file = await readFile(join(folder, 'data', 'auctions.sqlite'), 'latin1')
  expect(file).not.toContain('user 42')
  expect(file).toContain('user 43')
  expect(file).not.toContain('Anna-42')
  const { service, store } = await serviceIn(folder, '2030-01-31T12:00:01Z')
  await expectTextsRemoved(service, Date.parse('2030-01-31T12:00:00Z'))
  await expectPaddleRemoved(service, store)
  await expectSaleRemoved(service, store)
})

test('old auctions can be deleted, and their ids are not assigned again', async () => {
  const { folder } = await testFile()
  const first = await serviceIn(folder, '2025-12-01T00:00:00Z')
  const times = { startTime: '2025-11-01T00:00:00Z', endTime: '2025-12-02T00:00:00Z' }
  unwrap(await first.service.createAuction(sampleNewAuction({ ...times, title: 'Desk' })))
  unwrap(
    await first.service.createAuction(sampleNewAuction({ ...times, title: 'Desk', endTime: '2026-06-01T00:00:00Z' })),
  )
  for (const auctionId of [1, 2]) unwrap(await first.service.placeBid(sampleNewBid({ auctionId })))
  await first.close()
  const later = await serviceIn(folder, '2025-12-03T00:00:00Z')
  expect(await later.service.closeDue()).toEqual({ closed: 1, left: 0 })
  await later.close()
  await run('delete-old', folder, 'delete-personal-data')
  expect(idsByWord(join(folder, 'data', 'auctions.sqlite'))).toStrictEqual({ desk: [2] })

  const { service } = await serviceIn(folder, '2026-02-01T00:00:00Z')
  expect(await service.readAuction(toAuctionId(1))).toMatchObject({ ok: false, refusal: { code: 'auction-not-found' } })
  expect(unwrap(await service.placeBid(sampleNewBid({ auctionId: 2, amount: 105 }))).id).toBeGreaterThan(3)
  expect(unwrap(await service.createAuction(sampleNewAuction())).id).toBeGreaterThan(2)
})

test('the ids of skipped blocks are not assigned', async () => {
  const { folder } = await testFile()
  const first = await serviceIn(folder, '2030-01-31T12:00:00Z')
  unwrap(await first.service.createAuction(sampleNewAuction()))
  unwrap(await first.service.placeBid(sampleNewBid()))
  await first.close()
  await run('skip-ids', folder, 'restore-to-a-moment')
  const { service } = await serviceIn(folder, '2030-01-31T12:00:01Z')
  expect(unwrap(await service.createAuction(sampleNewAuction())).id).toBeGreaterThan(100_000)
  expect(unwrap(await service.placeBid(sampleNewBid({ amount: 105 }))).id).toBeGreaterThan(1_000_000)
})
