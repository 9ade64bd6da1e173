import { sampleEntry } from '../samples.ts'
import { ledgerOf, maxHangMs, range } from './helpers.ts'
import { fill, outcomesOf, repeatableReadsOf, rightReads, rightWrites, writesOf } from './operations.ts'
import { secretsOfWrites } from './secrets.ts'
import type { Suite } from './suite.ts'

/** A server that accepts connections and does not respond makes calls fail in time. */
export function hanging(suite: Suite): void {
  suite.needing('halt', () => {
    declare(suite)
    secretsOfWrites(suite, 'while its server hangs', async ({ halt }, calls) => {
      const resume = await halt?.()
      const outcomes = await Promise.all(calls.map((call) => call()))
      await resume?.()
      return outcomes
    })
  })
}

function declare({ test, expect }: Suite): void {
  test('fails every write within 10 s while its server hangs, and works again after that', async ({ store, halt }) => {
    await fill(store)
    const resume = await halt?.()
    const startMs = Date.now()
    // More calls than most pools have connections, so that the last ones wait for a connection.
    const { updateAgenda: _, ...repeated } = repeatableReadsOf(store)
    const reading = range(1, 6).map(() => outcomesOf(repeated, store))
    const written = await outcomesOf(writesOf(store), store)
    const outcomes = await Promise.all(reading)
    const tookMs = Date.now() - startMs
    await resume?.()
    expect(written).toStrictEqual(rightWrites(store))
    for (const outcome of outcomes) expect(outcome).toStrictEqual(rightReads(outcome))
    expect(tookMs < maxHangMs ? 'in time' : tookMs).toBe('in time')
    expect(await store.append([sampleEntry({ id: 92, auctionId: 92 })])).toBe(1)
    expect((await ledgerOf(store)).length).toBe(3)
  })
}
