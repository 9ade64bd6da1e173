import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Child, runChild } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { sampleOf } from '../../../tools/vitest/size.ts'
import { bidIn, clientOf, problem } from './support/client.ts'
import { startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

// The processes use the real clock.
const hourMs = 60 * 60 * 1000
const running = {
  startTime: new Date(Date.now() - hourMs).toISOString(),
  endTime: new Date(Date.now() + hourMs).toISOString(),
}

const fileIn = (folder: string) => join(folder, 'data', 'auctions.sqlite')

async function end({ child, exited }: Child, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  return exited()
}

describe('without a setting for the store,', () => {
  test.each(sampleOf(['SIGKILL', 'SIGTERM'] as const))('an auction and a bid are kept after %s', async (signal) => {
    const folder = temporaryFolder()
    const first = await startServerProcess({ JWT_SECRET: secret }, { folder })
    const before = clientOf(first)
    const created = await before.createAuction(running, { 'idempotency-key': 'kept' })
    const auctionId = created.body.data.id
    const placed = await before.placeBid({ auctionId, amount: 150 }, { 'idempotency-key': 'kept' })
    expect([created.status, placed.status]).toEqual([201, 201])
    expect(await end(first, signal)).toBe(signal === 'SIGKILL' ? null : 0)

    const after = clientOf(await startServerProcess({ JWT_SECRET: secret }, { folder }))
    expect((await after.get(`/api/Auctions/${auctionId}`)).body.data).toMatchObject({
      title: 'Walnut desk',
      currentPrice: 150,
      bidCount: 1,
    })
    expect((await after.get(`/api/Auctions/${auctionId}/Bids`)).body.data.items).toEqual([bidIn(placed)])
    expect((await after.createAuction(running, { 'idempotency-key': 'kept' })).text).toBe(created.text)
    expect((await after.placeBid({ auctionId, amount: 150 }, { 'idempotency-key': 'kept' })).text).toBe(placed.text)
    expect(await after.placeBid({ auctionId, amount: 150 })).toMatchObject(
      problem(409, 'bid-too-low', { currentPrice: 150 }),
    )
    const other = await after.createAuction(running)
    expect(other.body.data.id).toBeGreaterThan(auctionId)
  })

  test('the printed commands return 201 after every start', async () => {
    const folder = temporaryFolder()
    const ids: unknown[] = []
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const server = await startServerProcess({}, { folder })
      await server.until(/until this process ends/)
      const [token] = /eyJ\S+/.exec(server.stdout()) ?? []
      for (const [, command = ''] of server.stdout().matchAll(/^ *(curl .*)$/gm)) {
        const env = { ...process.env, TOKEN: token, AUCTION: String(ids.at(-1)) }
        const { stdout } = await runChild('bash', ['-c', command], { env })
        expect(stdout).toMatch(/^HTTP\/1\.1 201 /)
        const [, body = ''] = stdout.split('\r\n\r\n')
        const { data } = JSON.parse(body)
        if (data.status === 'Pending') ids.push(data.id)
      }
      const { body } = await clientOf(server, token).get('/api/Auctions')
      expect(body.data.items.map(({ id }: { readonly id: number }) => id)).toEqual(ids.toReversed())
      await end(server, signal)
    }
  })

  test('production logs where the data is, and leaves one file after SIGTERM', async () => {
    const folder = temporaryFolder()
    const server = await startServerProcess({ NODE_ENV: 'production', JWT_SECRET: secret }, { folder })
    expect(server.stdout()).toContain(`"store":"SQLite file ${fileIn(folder)}: kept after the process ends"`)
    await clientOf(server).createAuction(running)
    expect(await readdir(join(folder, 'data'))).toContain('auctions.sqlite-wal')
    expect(await end(server, 'SIGTERM')).toBe(0)
    expect(await readdir(join(folder, 'data'))).toEqual(['auctions.sqlite'])
  })

  longTest('two processes in one folder serve the same auctions', async () => {
    const folder = temporaryFolder()
    const [anna, ben] = [
      clientOf(await startServerProcess({ JWT_SECRET: secret }, { folder })),
      clientOf(await startServerProcess({ JWT_SECRET: secret }, { folder })),
    ]
    const auctionId = (await anna.createAuction(running)).body.data.id
    expect((await ben.placeBid({ auctionId, amount: 100 })).status).toBe(201)
    expect(await anna.placeBid({ auctionId, amount: 100 })).toMatchObject(problem(409, 'bid-too-low'))
  })
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
