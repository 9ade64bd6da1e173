import { describe, inject } from 'vitest'
import type {} from './wrk-program.ts' // Declares what is injected.

/** A suite that needs wrk. Without it its tests are skipped, and the run reports that at its end. */
export function describeWrk(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('wrk'))(`${name} (on wrk)`, body)
}
