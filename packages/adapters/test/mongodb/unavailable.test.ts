import { expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { othersThan, serverOutage } from '../server-outage.ts'
import { connectProxiedStore } from './support.ts'

async function storeBehindProxy() {
  const { close, ...proxied } = await connectProxiedStore(2_000)
  onTestFinished(close)
  return proxied
}

describeMongo('a server outage', () => {
  serverOutage(storeBehindProxy)

  // The driver's client is unusable after its first search for a server fails.
  test.each([
    { title: 'before the first operation', rounds: 0 },
    { title: 'longer than several clients search', rounds: 4 },
  ])('ends with a new connection, $title', async ({ rounds }) => {
    const { store, proxy, restore } = await storeBehindProxy()
    if (rounds > 0) await store.ping()
    proxy.cut()
    for (let round = 1; round <= rounds + 1; round++) expect(await othersThan('unavailable', store, round)).toEqual([])
    await restore()
    expect(await othersThan('answered', store, 100)).toEqual([])
  })
})
