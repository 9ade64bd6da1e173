import { fileURLToPath } from 'node:url'
import { createAuctionClient, orThrow } from '@auction/client'
import { expect, onTestFinished, test } from 'vitest'
import { tokenOf } from '../support/tokens.ts'
import { startHttpServer } from './http-server.ts'
import { onModule } from './on-module.ts'

test('an HTTP server uses the store of a module, as `faults --store ./my-store.ts` starts it', async () => {
  const store = await onModule(fileURLToPath(new URL('./my-store.ts', import.meta.url)))
  onTestFinished(() => store.stop())
  expect(store.faults.map(({ name }) => name)).toContain('the database is killed and started again')
  const server = await startHttpServer(store.settings[0])
  const auction = {
    ...{ productId: 7, ownerId: 1, startingPrice: 100, minimumBidIncrement: 5, currency: 'USD' },
    ...{ startTime: '2020-01-01T00:00:00Z', endTime: '9999-01-01T00:00:00Z' },
  }
  orThrow(await createAuctionClient({ baseUrl: server.url, token: tokenOf('anna') }).createAuction(auction))
  expect(await server.stop()).toBe(0)
  const opened = await store.open()
  onTestFinished(() => opened.close())
  expect((await opened.listAuctions({ order: 'newest', limit: 10 })).items).toMatchObject([{ auction: { ownerId: 1 } }])
})
