import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { raceStore } from '@auction/testing/race-store'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../../tools/vitest/needs.ts'
import { ownPostgresqlServer } from '../../../../tools/vitest/postgresql.ts'

describeWith('postgresql', 'a race', () => {
  test('finds no broken promise while the server is killed and restarted', async ({ skip }) => {
    const server = await ownPostgresqlServer()
    if (server === undefined) return skip('no programs of PostgreSQL are installed')
    onTestFinished(server.stop)
    const { violations, entries } = await raceStore(() => connectPostgresqlStore(server.uri), {
      kill: server.kill,
      restart: server.start,
      kills: 1,
    })
    expect(violations).toEqual([])
    expect(entries).toBeGreaterThan(100)
  })
})
