import { orThrow } from '@auction/client'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { servePage } from './serve-page.ts'

// Measures the page on a real server, in Chromium: the time until the first price, and the time of script for an auction of 5,000 bids.
// Each run has new figures. The best run is the one that other work on the machine delayed least.

const runs = 3
const openings = 10
const bidsBefore = 5_000
const bidsShown = 40
/** The page reads bids once a second at most, so each of these bids has its own read. */
const betweenBidsMs = 1_100

const startTime = '2030-01-31T11:00:00Z'
const auction = {
  ...{ productId: 7, ownerId: 1, title: 'Walnut desk', currency: 'USD', startingPrice: 100, minimumBidIncrement: 1 },
  ...{ startTime, endTime: '2030-01-31T14:00:00Z' },
}

const { clock, browser, link, client, close } = await servePage(startTime)
let bids = 0
let nowMs = Date.parse(startTime)

async function placeBid(): Promise<void> {
  nowMs += 1_000
  clock.set(new Date(nowMs).toISOString())
  orThrow(await client.placeBidOnAuction(1, { bidderId: 2 + (bids % 50), amount: 100 + bids }))
  bids += 1
}

orThrow(await client.createAuction(auction))
while (bids < bidsBefore) await placeBid()

/** Resolves in the page when it has painted a price: a string, because it runs there. */
const notePrice = `
  globalThis.priced = new Promise((resolve) => {
    const look = () => document.querySelector('.price')
      ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      : requestAnimationFrame(look)
    look()
  })`

/** Opens a page and waits for the price. @returns milliseconds from the start of the navigation */
async function open(context: BrowserContext, url: string): Promise<{ readonly page: Page; readonly priceMs: number }> {
  const page = await context.newPage()
  await page.addInitScript(notePrice)
  await page.goto(url)
  return { page, priceMs: Number(await page.evaluate('globalThis.priced')) }
}

async function timesOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]))
}

/** The milliseconds between two readings of a counter. */
const spent = (name: string, before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) =>
  (after[name] ?? 0) - (before[name] ?? 0)

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

/** First prices of a browser without and with the files of the page in its cache. */
async function measureOpening() {
  const cold: number[] = []
  const warm: number[] = []
  for (let opening = 0; opening < openings; opening++) {
    const context = await browser.newContext()
    const first = await open(context, link(2))
    cold.push(first.priceMs)
    warm.push((await open(context, link(2))).priceMs)
    await context.close()
  }
  return { cold: quantile(cold, 0.5), coldWorst: quantile(cold, 1), warm: quantile(warm, 0.5) }
}

/** The script of each bid on the auction, with all that the page does until the next one: reads, renders, the countdown. */
async function measureBids() {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  const { page } = await open(context, link(2))
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.getByRole('link', { name: 'Walnut desk' }).click()
  // As many as the page shows.
  for (const rows of [200, 300]) {
    await page.getByRole('button', { name: 'Earlier bids' }).click()
    await page.locator(`tbody tr:nth-child(${rows})`).waitFor()
  }
  const script: number[] = []
  const all: number[] = []
  for (let placed = 0; placed < bidsShown; placed++) {
    const before = await timesOf(session)
    await placeBid()
    await new Promise((resolve) => setTimeout(resolve, betweenBidsMs))
    const after = await timesOf(session)
    script.push(spent('ScriptDuration', before, after))
    all.push(spent('TaskDuration', before, after))
  }
  await context.close()
  return { script: quantile(script, 0.5), script99: quantile(script, 0.99), all: quantile(all, 0.5) }
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const shown = (figures: Readonly<Record<string, number>>) =>
  Object.entries(figures)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`)
    .join(', ')

for (let run = 1; run <= runs; run++) {
  say(`Run ${run}`)
  say(`  first price: ${shown(await measureOpening())}`)
  say(`  a bid: ${shown(await measureBids())}`)
}
await close()
