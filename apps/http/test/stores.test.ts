import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Child } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf, problem, runningNow } from './support/client.ts'
import { startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

const fileIn = (folder: string) => join(folder, 'data', 'auctions.sqlite')

async function end({ child, exited }: Child, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  return exited()
}

test('without a setting, production logs where the data is, and leaves one file after SIGTERM', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ NODE_ENV: 'production', JWT_SECRET: secret }, { folder })
  expect(server.stdout()).toContain(`"store":"SQLite file ${fileIn(folder)}: kept after the process ends"`)
  await clientOf(server).createAuction(runningNow())
  expect(await readdir(join(folder, 'data'))).toContain('auctions.sqlite-wal')
  expect(await end(server, 'SIGTERM')).toBe(0)
  expect(await readdir(join(folder, 'data'))).toEqual(['auctions.sqlite'])
})

longTest('the server creates SQLITE_FILE and its folder', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ JWT_SECRET: secret, SQLITE_FILE: 'a/b/bids.db' }, { folder })
  expect(server.stdout()).toContain(`"store":"SQLite file ${join(folder, 'a/b/bids.db')}: kept`)
  expect((await clientOf(server).createAuction()).status).toBe(201)
  expect(await readdir(folder)).toEqual(['a'])
})

test('STORE=memory leaves no files', async () => {
  const folder = temporaryFolder()
  const environment = { NODE_ENV: 'production', STORE: 'memory', JWT_SECRET: secret }
  const server = await startServerProcess(environment, { folder })
  expect(server.stdout()).toContain('"store":"in-memory: kept until the process ends"')
  expect((await clientOf(server).createAuction()).status).toBe(201)
  expect(await end(server, 'SIGTERM')).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

describe('the start ends with code 1 and one line', () => {
  async function startErrorOf(environment: Readonly<Record<string, string>>, folder: string): Promise<string> {
    const server = startProcess({ JWT_SECRET: secret, ...environment }, { folder })
    expect(await server.exited()).toBe(1)
    expect(server.stdout()).toBe('')
    expect(server.stderr()).toMatch(/^.*\n$/)
    return server.stderr()
  }

  test('if the file is not a database, which stays unchanged', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'notes.txt')
    await writeFile(file, 'Buy milk.\n'.repeat(100))
    expect(await startErrorOf({ SQLITE_FILE: file }, folder)).toMatch(
      new RegExp(`^SQLITE_FILE: the file ${file} cannot be used: .*not a (SQLite )?database`),
    )
    expect(await readFile(file, 'utf8')).toBe('Buy milk.\n'.repeat(100))
    expect(await readdir(folder)).toEqual(['notes.txt'])
  })

  longTest('if the file is a folder', async () => {
    const folder = temporaryFolder()
    await mkdir(fileIn(folder), { recursive: true })
    expect(await startErrorOf({}, folder)).toContain(`SQLITE_FILE: the file ${fileIn(folder)} cannot be used: `)
  })

  longTest('if the default folder cannot be created', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'data'), '')
    expect(await startErrorOf({}, folder)).toContain(`SQLITE_FILE: the file ${fileIn(folder)} cannot be used: `)
  })
})

test('an unreadable auction is omitted from lists, logged once, and 500 when read', async () => {
  const file = join(temporaryFolder(), 'auctions.sqlite')
  const settings = { SQLITE_FILE: file, JWT_SECRET: secret }
  const first = await startServerProcess(settings)
  const seller = clientOf(first)
  await seller.createAuction({ reservePrice: 5133.33 })
  await seller.createAuction()
  first.child.kill('SIGTERM')
  expect(await first.exited()).toBe(0)

  const database = new DatabaseSync(file)
  database.exec("UPDATE auctions SET data = json_set(data, '$.reservePriceMinor', 5133.33) WHERE id = 1")
  database.close()

  const server = await startServerProcess(settings)
  const reader = clientOf(server)
  for (const query of ['', '?sort=endTime&status=Active', '?limit=1']) {
    const page = await reader.get(`/api/Auctions${query}`)
    expect(page.status).toBe(200)
    expect(page.body.data.items.map(({ id }: { readonly id: number }) => id)).not.toContain(1)
  }
  expect((await reader.get('/api/Auctions')).body.data.items).toMatchObject([{ id: 2 }])
  expect(await reader.get('/api/Auctions/1')).toMatchObject(problem(500, 'internal'))
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)

  const lines = server.stdout().split('\n')
  const reports = lines.filter((line) => line.includes('stored data is unreadable'))
  expect(reports).toHaveLength(1)
  expect(reports[0]).toContain('the stored auction 1 has an invalid field reservePriceMinor')
  expect(lines.filter((line) => line.includes('"msg":"internal"'))).toHaveLength(1)
  expect(server.stdout()).not.toContain('5133')
  expect(server.stderr()).not.toContain('5133')
})
