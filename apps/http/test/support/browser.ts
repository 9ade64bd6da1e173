import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { describeWith, provided } from '../../../../tools/vitest/needs.ts'

const switches = [
  // Chromium cannot use its sandbox as root, as in containers.
  '--no-sandbox',
  '--disable-gpu',
  // These turn off its own requests.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Fewer processes take a fifth less of the processor.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--renderer-process-limit=1',
]

// On a busy machine, a click takes seconds.
export const hangMs = 120_000

/** A suite that needs a browser. All its tests share one, which starts when the first of them opens a profile. */
export function describeBrowser(name: string, body: () => void): void {
  describeWith('chromium', name, () => {
    afterAll(async () => {
      await (await browser)?.close()
      browser = undefined
      shared = undefined
    })
    body()
  })
}

let browser: Promise<Browser> | undefined
let shared: Promise<BrowserContext> | undefined

async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: provided('chromium').program, args: switches })
  const running = await browser
  const profile = await running.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  profile.setDefaultTimeout(hangMs)
  return profile
}

/** An empty profile, with its own tabs and storage; call it within `describeBrowser`. */
export async function openProfile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const profile = await openContext(options)
  onTestFinished(() => profile.close())
  return profile
}

/** The profile that the tests of a suite share. Each closes its tabs. */
export function sharedProfile(): Promise<BrowserContext> {
  shared ??= openContext({})
  return shared
}
