import { join } from 'node:path'
import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionClient, orThrow } from '@auction/client'
import { createAuctionService } from '@auction/domain'
import { listen } from '@auction/host/listen'
import { pino } from 'pino'
import { chromium } from 'playwright-core'
import { findProgram } from '../../../../tools/vitest/programs.ts'
import { createReadiness } from '../../src/api/readiness.ts'
import { buildServer } from '../../src/build-server.ts'
import { readConfiguration } from '../../src/configuration/read-configuration.ts'
import { secret, tokenOf } from '../support/tokens.ts'

// Draws the pictures of the README, in both schemes: the page of an auction on a real server, whose clock is set. Only the picture of the
// desk is no real one: this script draws it instead of its address.

const folder = join(import.meta.dirname, '../../../../docs/images')
const startTime = '2030-01-31T11:00:00Z'
const desk = {
  ...{ productId: 7, ownerId: 1, title: 'Walnut desk', description: 'Four drawers, one key.', currency: 'USD' },
  ...{ startingPrice: 100, minimumBidIncrement: 5, reservePrice: 300, startTime, endTime: '2030-01-31T12:00:00Z' },
  metadata: { pictureUrl: 'https://pictures.example/desk.svg', material: 'Walnut, brass', yearMade: 'about 1935' },
  softClose: { windowSeconds: 300, extensionSeconds: 300, latestEndTime: '2030-01-31T13:00:00Z' },
}
/** The minute, bidder, amount and maximum of each bid. */
const bids = [
  [4, 2, 100],
  [9, 3, 120, 180],
  [17, 2, 140],
  [28, 4, 200],
  [33, 2, 210],
  [41, 4, 240, 330],
  [52, 2, 310],
  [56, 3, 350],
  [57, 2, 365],
] as const

const wood = '<rect x="70" y="120" width="260" height="22" rx="4"/><path d="M85 142h12v100h-12zM303 142h12v100h-12z"/>'
const drawers =
  '<path d="M220 142h83v30h-83zM220 176h83v30h-83z" fill="#8a5a34"/><path d="M255 155h14v5h-14zM255 189h14v5h-14z" fill="#e8c27a"/>'
const room = '<path d="M0 0h400v300H0z" fill="#e9dcc9"/><path d="M0 235h400v65H0z" fill="#cbb593"/>'
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300">${room}<g fill="#6b4423">${wood}</g>${drawers}</svg>`

const { app, service, clock } = await buildService()
const { url } = await listen(app, '127.0.0.1', 0)
const token = tokenOf('anna')
const client = createAuctionClient({ baseUrl: url, token })
const executablePath = findProgram('chromium')
if (executablePath === undefined) throw new Error('Chromium could not be started; set CHROMIUM_PATH to its path')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

orThrow(await client.createAuction(desk))
for (const [minute, bidderId, amount, maximumAmount = null] of bids) {
  clock.set(new Date(Date.parse(startTime) + minute * 60_000).toISOString())
  orThrow(await client.placeBidOnAuction(1, { bidderId, amount, maximumAmount }))
}

for (const colorScheme of ['light', 'dark'] as const) {
  const viewport = { width: 1080, height: 940 }
  const context = await browser.newContext({ colorScheme, viewport, locale: 'en-US', timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  )
  await page.goto(`${url}/#token=${token}&user=3`)
  await page.getByRole('link', { name: 'Walnut desk' }).click()
  await page.locator('.banner').getByText('You were outbid').waitFor()
  await page.locator('svg .line').waitFor({ state: 'attached' })
  await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) })
}
await browser.close()
await app.close()
await service.close()

/** The service in memory with its server, outside Vitest. */
async function buildService() {
  const logger = pino({ level: 'silent' })
  const reading = readConfiguration({ JWT_SECRET: secret, STORE: 'memory' }, () => '')
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  const { configuration } = reading
  const clock = createManualClock(startTime)
  const readiness = createReadiness(logger)
  const store = { ...createMemoryStore(), ping: async () => undefined }
  const service = createAuctionService({ store: readiness.monitor(store), clock, limits: configuration.limits })
  const tokenKey = { kind: 'secret', secret } as const
  const parts = { configuration: { ...configuration, tokenKey }, service, clock, logger, readiness }
  return { ...(await buildServer(parts)), service, clock }
}
