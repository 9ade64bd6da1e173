import { diskFolder } from '@auction/testing/disk'
import { raceStore } from '@auction/testing/race-store'
import { expect, onTestFinished, test } from 'vitest'
import { connectMariadbStore } from './mariadb-store.ts'
import { createDatabase, startMariadb } from './mariadb-subject.ts'

test('a race finds no broken promise while the server is killed and restarted', async () => {
  const server = await startMariadb('mariadbd', await diskFolder())
  onTestFinished(server.stop)
  const uri = await createDatabase(server)
  const { violations, entries } = await raceStore(() => connectMariadbStore(uri), {
    folder: server.folder,
    kill: server.kill,
    restart: server.start,
    kills: 2,
  })
  expect(violations).toEqual([])
  expect(entries).toBeGreaterThan(100)
})
