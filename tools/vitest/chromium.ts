import { describe, inject } from 'vitest'
import type {} from './chromium-program.ts' // Declares what is injected.

/** A suite that needs a browser. Where there is none its tests are skipped, and the run says so at its end. */
export function describeChromium(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('chromium'))(`${name} (on Chromium)`, body)
}

/** The path of the browser; to be called within `describeChromium`. */
export function chromiumProgram(): string {
  const provision = inject('chromium')
  if ('notRun' in provision) throw new Error(`there is no Chromium: ${provision.notRun}`)
  return provision.program
}
