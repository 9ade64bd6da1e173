import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Child } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf, runningNow } from './support/client.ts'
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
