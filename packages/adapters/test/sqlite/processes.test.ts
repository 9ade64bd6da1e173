import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { connectTo, type Script, startScript, testFile } from './support.ts'

/**
 * The acknowledged writes of a process: `auction <id>`, `entries <auction> <last sequence>` and `block <number>`, one
 * per line.
 */
async function expectAllAcknowledged(store: SqliteStore, child: Script): Promise<void> {
  for (const line of child.lines()) {
    const [kind, number = 0, sequence = 0] = line.split(' ').map((word, index) => (index === 0 ? word : Number(word)))
    const auctionId = sampleAuction({ id: Number(number) }).id
    if (kind === 'auction') expect((await store.findAuction(auctionId))?.id).toBe(number)
    else if (kind === 'entries') {
      const entries = await store.listEntries(auctionId, { limit: 1_000_000 })
      // Newest first, without a gap, at least up to the last acknowledged entry.
      expect(entries.map((entry) => entry.sequence)).toEqual(entries.map((_, index) => entries.length - index))
      expect(entries.length).toBeGreaterThanOrEqual(Number(sequence))
    } else {
      expect(kind).toBe('block')
      expect(await store.claimNextIdBlock('entries')).toBeGreaterThan(Number(number))
    }
  }
}

describe('a killed process', () => {
  // The largest count includes several copies of the log into the file.
  test.each(isLong ? [1, 2, 10, 57, 300, 1_500, 3_500] : [1, 300])(
    'has lost none of %i acknowledged writes',
    async (count) => {
      const { file, open } = await testFile()
      // The second process continues with the file of the first.
      for (let times = 0; times < 2; times++) {
        const child = startScript('writeUntilKilled', [file, times])
        await child.until(count)
        await child.kill()
        expect(child.lines().length).toBeGreaterThanOrEqual(count)
        const store = await open()
        await expectAllAcknowledged(store, child)
        await store.close()
      }
      expect(connectTo(file).prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    },
  )
})
