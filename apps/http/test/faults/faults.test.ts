import { expect, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { startDatabase } from './database-server.ts'
import { faultStory, faults } from './fault-story.ts'

describeMongo('two HTTP servers under faults', (ownDatabase) => {
  test('nothing acknowledged is lost, nothing is stored twice, and service comes back by itself', async () => {
    const command = process.env['MONGODB_SERVER_COMMAND']
    const database = command === undefined ? undefined : await startDatabase(command)
    const uri = database === undefined ? ownDatabase() : `mongodb://127.0.0.1:${database.port}/faults`
    const plan = faults.filter(({ needsDatabase }) => !needsDatabase || database !== undefined)
    // Each fault befalls the one server, and then the other.
    const ahead = plan.flatMap((fault) => [fault, fault])
    try {
      const story = await faultStory({
        uri,
        ...(database && { database }),
        clients: 12,
        nextFault: () => ahead.shift(),
      })
      expect(story.violations).toEqual([])
      expect(story.exitCodes).toEqual([0, 0])
      expect(story.ledger.length).toBeGreaterThan(0)
    } finally {
      await database?.stop()
    }
  }, 300_000)
})
