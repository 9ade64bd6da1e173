import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf, problem, runningNow } from './support/client.ts'
import { runHere } from './support/command.ts'
import { folderOf, sqliteFileIn } from './support/filled-store.ts'
import { startServer } from './support/server.ts'
import { startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

test('without a setting, production logs where the data is, and leaves the database and its key after SIGTERM', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ NODE_ENV: 'production', JWT_SECRET: secret }, { folder })
  expect(server.stdout()).toContain(`"store":"SQLite file ${sqliteFileIn(folder)}: kept after the process ends"`)
  await clientOf(server).createAuction(runningNow())
  expect(await readdir(join(folder, 'data'))).toContain('auctions.sqlite-wal')
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  expect(await readdir(join(folder, 'data'))).toEqual(['auctions.sqlite', 'auctions.sqlite.sealed-bids-key'])
})

longTest('the server creates SQLITE_FILE and its folder', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ JWT_SECRET: secret, SQLITE_FILE: 'a/b/bids.db' }, { folder })
  expect(server.stdout()).toContain(`"store":"SQLite file ${join(folder, 'a/b/bids.db')}: kept`)
  expect((await clientOf(server).createAuction()).status).toBe(201)
  expect(await readdir(folder)).toEqual(['a'])
})

longTest('STORE=memory leaves no files', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ NODE_ENV: 'production', STORE: 'memory', JWT_SECRET: secret }, { folder })
  expect((await clientOf(server).createAuction()).status).toBe(201)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

describe('the start ends with code 1 and one line', () => {
  test('if the file is not a database, which stays unchanged', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'notes.txt')
    await writeFile(file, 'Buy milk.\n'.repeat(100))
    const rule = new RegExp(`^SQLITE_FILE: the file ${file} cannot be used: .*not a (SQLite )?database.*\n$`)
    const ended = await runHere([], { JWT_SECRET: secret, SQLITE_FILE: file }, folder)
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(rule) })
    expect(await readFile(file, 'utf8')).toBe('Buy milk.\n'.repeat(100))
    expect(await readdir(folder)).toEqual(['notes.txt'])
  })

  test.each([
    ['the file is a folder', (folder: string) => mkdir(sqliteFileIn(folder), { recursive: true })],
    ['the default folder cannot be created', (folder: string) => writeFile(join(folder, 'data'), '')],
  ])('if %s', async (_, prepare) => {
    const folder = temporaryFolder()
    await prepare(folder)
    const { code, stderr } = await runHere([], { JWT_SECRET: secret }, folder)
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
    expect(stderr).toContain(`SQLITE_FILE: the file ${sqliteFileIn(folder)} cannot be used: `)
  })
})

test('an unreadable auction is omitted from lists, logged once, and 500 when read', async () => {
  const folder = await folderOf(async (service) => {
    unwrap(await service.createAuction(sampleNewAuction({ reservePrice: 5133.33 })))
    unwrap(await service.createAuction(sampleNewAuction()))
  })
  const database = new DatabaseSync(sqliteFileIn(folder))
  database.exec("UPDATE auctions SET data = json_set(data, '$.reservePriceMinor', 5133.33) WHERE id = 1")
  database.close()

  const store = await openSqliteStore(sqliteFileIn(folder))
  onTestFinished(() => store.close())
  const server = await startServer({ store })
  const reader = clientOf(server)
  for (const query of ['', '?sort=endTime&status=Active', '?limit=1']) {
    const page = await reader.get(`/api/Auctions${query}`)
    expect([page.status, page.body.data.items.map(({ id }: { readonly id: number }) => id)]).toEqual([200, [2]])
  }
  expect(await reader.get('/api/Auctions/1')).toMatchObject(problem(500, 'internal'))

  const reports = server.log.filter((line) => line.includes('stored data is unreadable'))
  expect(reports).toEqual([expect.stringContaining('the stored auction 1 has an invalid field reservePriceMinor')])
  expect(server.log.filter((line) => line.includes('"msg":"internal"'))).toHaveLength(1)
  expect(server.log.join('')).not.toContain('5133')
})
