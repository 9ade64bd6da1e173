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
    // The faults befall the one server and the other in turn; a run on demand lets each befall both.
    const ahead = [...plan]
    try {
      const story = await faultStory({
        uri,
        ...(database && { database }),
        clients: 6,
        nextFault: () => ahead.shift(),
      })
      expect(story.violations).toEqual([])
      expect(story.exitCodes).toEqual([0, 0])
      const ends = story.ledger.filter(({ event }) => event.type === 'closed')
      expect(ends.length).toBeGreaterThan(5)
      expect(story.ledger.length).toBeGreaterThan(3 * ends.length)
    } finally {
      await database?.stop()
    }
  }, 600_000)
})
