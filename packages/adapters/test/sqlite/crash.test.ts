import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { SqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { connectTo, type Script, startScript, testFile } from './support.ts'

/** What a process has acknowledged: `auction <id>`, `entries <auction> <last sequence>` and `block <number>`, one a line. */
async function expectAllAcknowledged(store: SqliteStore, child: Script): Promise<void> {
  for (const line of child.lines()) {
    const [kind, number = 0, sequence = 0] = line.split(' ').map((word, index) => (index === 0 ? word : Number(word)))
    const auctionId = sampleAuction({ id: Number(number) }).id
    if (kind === 'auction') expect((await store.findAuction(auctionId))?.id).toBe(number)
    else if (kind === 'entries') {
      const entries = await store.listEntries(auctionId, { limit: 1_000_000 })
      // Newest first, without a gap, and to the last that was acknowledged at least.
      expect(entries.map((entry) => entry.sequence)).toEqual(entries.map((_, index) => entries.length - index))
      expect(entries.length).toBeGreaterThanOrEqual(Number(sequence))
    } else {
      expect(kind).toBe('block')
      expect(await store.highestIdBlock('entries')).toBeGreaterThanOrEqual(Number(number))
    }
  }
}

describe('a killed process', () => {
  // The last of these come when the log has been copied into the file more than once.
  test.each(isLong ? [1, 2, 10, 57, 300, 1_500, 3_500] : [1, 57, 3_500])(
    'has lost none of %i acknowledged writes',
    async (count) => {
      const { file, open } = await testFile()
      // It continues with the file of the first one.
      for (let times = 0; times < 2; times++) {
        const child = startScript('write-until-killed.ts', [file, times])
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
