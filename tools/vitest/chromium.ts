import { describe, inject } from 'vitest'
import type {} from './chromium-program.ts' // Declares what is injected.

/** A suite that needs a browser. Without one its tests are skipped, and the run reports that at its end. */
export function describeChromium(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('chromium'))(`${name} (on Chromium)`, body)
}

/** The path of the browser; call it within `describeChromium`. */
export function chromiumProgram(): string {
  const provision = inject('chromium')
  if ('notRun' in provision) throw new Error(`Chromium is not available: ${provision.notRun}`)
  return provision.program
}
