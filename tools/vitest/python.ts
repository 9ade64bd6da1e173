import { join } from 'node:path'
import { describe, inject } from 'vitest'
import type {} from './python-tools.ts' // Declares what is injected.

/** A suite that needs Python. Without it its tests are skipped, and the run reports that at its end. */
export function describePython(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('python'))(`${name} (on Python)`, body)
}

/** The Python of the environment; call it within `describePython`. */
export function pythonProgram(): string {
  const provision = inject('python')
  if ('notRun' in provision) throw new Error(`Python is not available: ${provision.notRun}`)
  return join(provision.programs, 'python')
}
