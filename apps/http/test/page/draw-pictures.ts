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
import { permissions, saleManaging, secret, tokenOf } from '../support/tokens.ts'

// Draws the pictures of the README, in both schemes: the page of a running sale on a real server, whose clock is set.
// Only the pictures of the lots are no real ones: this script draws them instead of their addresses.

const folder = join(import.meta.dirname, '../../../../docs/images')
const startTime = '2030-01-31T11:00:00Z'
const estate = {
  ...{ title: 'Estate of a clockmaker', currency: 'USD', startTime, firstEndTime: '2030-01-31T12:00:00Z' },
  ...{ intervalSeconds: 60, lotDefaults: { productId: 1, ownerId: 1, minimumBidIncrement: 5 } },
}

/** The title, the starting price and the drawing of each lot. */
const lots = [
  [
    'Mantel clock',
    120,
    '<path d="M110 235V130a90 90 0 0 1 180 0v105z" fill="#6b4423"/><circle cx="200" cy="135" r="58" fill="#f4ecdc"/><path d="M200 135V92M200 135l30 18" stroke="#222" stroke-width="7"/>',
  ],
  [
    'Tool chest',
    80,
    '<rect x="95" y="125" width="210" height="110" rx="6" fill="#34536b"/><path d="M95 165h210M95 200h210" stroke="#1f3342" stroke-width="5"/><path d="M165 125v-22h70v22" fill="none" stroke="#1f3342" stroke-width="9"/>',
  ],
  [
    'Pocket watch',
    60,
    '<circle cx="200" cy="160" r="72" fill="#c9a227"/><circle cx="200" cy="160" r="56" fill="#fbf7ea"/><path d="M200 160v-38M200 160l26 10" stroke="#222" stroke-width="6"/><rect x="188" y="66" width="24" height="24" rx="6" fill="#c9a227"/>',
  ],
  [
    'Oil lamp',
    40,
    '<path d="M150 235h100l-18-42h-64z" fill="#8a5a34"/><path d="M170 190h60c22-50 4-74-12-110h-36c-16 36-34 60-12 110z" fill="#f7e3a1" opacity=".9"/><path d="M200 176c-16-18-8-34 0-52 8 18 16 34 0 52z" fill="#e07b1a"/>',
  ],
  [
    'Oak chair',
    30,
    '<path d="M140 70h14v165h-14zM246 150h14v85h-14zM140 150h120v20H140z" fill="#7a4f2a"/><path d="M154 85h70v12h-70zM154 112h70v12h-70z" fill="#7a4f2a"/>',
  ],
  [
    'Bench lathe',
    200,
    '<rect x="90" y="205" width="220" height="22" rx="5" fill="#555c63"/><rect x="110" y="140" width="52" height="66" rx="6" fill="#39424a"/><path d="M162 170h86" stroke="#9aa4ad" stroke-width="12"/><rect x="246" y="150" width="40" height="56" rx="6" fill="#39424a"/>',
  ],
  [
    'Wall clock',
    90,
    '<circle cx="200" cy="150" r="84" fill="#2f5d50"/><circle cx="200" cy="150" r="66" fill="#f6f2e6"/><path d="M200 150V104M200 150l36-18" stroke="#222" stroke-width="7"/>',
  ],
  [
    'Writing desk',
    150,
    '<rect x="70" y="120" width="260" height="22" rx="4" fill="#6b4423"/><path d="M85 142h12v93h-12zM303 142h12v93h-12z" fill="#6b4423"/><path d="M220 142h83v30h-83z" fill="#8a5a34"/><path d="M255 155h14v5h-14z" fill="#e8c27a"/>',
  ],
] as const
/** The lot, bidder, amount and maximum of each bid. */
const bids = [
  [1, 3, 120, 260],
  [1, 2, 180, null],
  [2, 4, 95, null],
  [3, 2, 60, null],
  [3, 4, 110, null],
  [4, 3, 55, null],
  [4, 2, 70, null],
  [6, 4, 240, null],
  [7, 3, 130, 150],
] as const

const room = '<path d="M0 0h400v300H0z" fill="#e9dcc9"/><path d="M0 235h400v65H0z" fill="#cbb593"/>'
const pictureOf = (lot: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300">${room}${lots[lot - 1]?.[2] ?? ''}</svg>`

const { app, service, clock } = await buildService()
const { url } = await listen(app, '127.0.0.1', 0)
const token = tokenOf('anna', { uid: 3, permissions })
const executablePath = findProgram('chromium')
if (executablePath === undefined) throw new Error('Chromium could not be started; set CHROMIUM_PATH to its path')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

const { id } = orThrow(await clientOf(3).createSale(estate)).data
const added = orThrow(
  await clientOf(3).addLots(id, {
    lots: lots.map(([title, startingPrice], at) => ({
      ...{ lot: `${at + 1}`, title, startingPrice },
      metadata: { pictureUrl: `https://pictures.example/${at + 1}` },
    })),
  }),
).data.lots
for (const [lot, bidderId, amount, maximumAmount] of bids) {
  const { auctionId = 0 } = added[lot - 1] ?? {}
  orThrow(await clientOf(bidderId).placeBidOnAuction(auctionId, { bidderId, amount, maximumAmount }))
}
clock.set('2030-01-31T11:59:21Z')

for (const colorScheme of ['light', 'dark'] as const) {
  const viewport = { width: 1080, height: 1040 }
  const context = await browser.newContext({ colorScheme, viewport, locale: 'en-US', timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.route('https://pictures.example/**', (route) => {
    const lot = Number(new URL(route.request().url()).pathname.slice(1))
    return route.fulfill({ contentType: 'image/svg+xml', body: pictureOf(lot) })
  })
  await page.goto(`${url}/#token=${token}`)
  await page.getByRole('link', { name: 'Sales' }).click()
  await page.getByRole('link', { name: estate.title }).click()
  await page.locator('.own').getByText('You were outbid').waitFor()
  await page.locator('.lot:nth-child(4) img').waitFor()
  // A string, because it runs in the page.
  await page.waitForFunction(
    `[...document.getElementById('page').shadowRoot.querySelectorAll('img')].every(({ complete }) => complete)`,
  )
  await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) })
}
await browser.close()
await app.close()
await service.close()

/** A client of a user. */
function clientOf(uid: number) {
  const token = tokenOf(`user ${uid}`, { uid, permissions: [...permissions, saleManaging] })
  return createAuctionClient({ baseUrl: url, token })
}

/** The service in memory with its server, outside Vitest. */
async function buildService() {
  const logger = pino({ level: 'silent' })
  const reading = readConfiguration({ JWT_SECRET: secret, STORE: 'memory', JWT_SUBJECT_CLAIM: 'uid' }, () => '')
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
