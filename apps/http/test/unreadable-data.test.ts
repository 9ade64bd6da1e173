import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

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
