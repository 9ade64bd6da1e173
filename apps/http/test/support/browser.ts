import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { chromiumProgram } from '../../../../tools/vitest/chromium.ts'

// Chromium cannot use its sandbox as root, as in containers. The other switches turn off its own requests.
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// On a busy machine, a click takes seconds.
export const hangMs = 120_000

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumProgram(), args: switches })

/** A new browser with an empty profile. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
}
