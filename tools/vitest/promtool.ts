import { describe, inject } from 'vitest'
import { startChild } from './child.ts'
import type {} from './promtool-program.ts' // Declares what is injected.

/** A suite that needs promtool. Without it its tests are skipped, and the run reports that at its end. */
export function describePromtool(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('promtool'))(`${name} (on promtool)`, body)
}

/** Runs promtool, and returns its exit code and output; call it within `describePromtool`. */
export async function runPromtool(
  parts: readonly string[],
  input = '',
): Promise<{ readonly code: number | null; readonly said: string }> {
  const provision = inject('promtool')
  if ('notRun' in provision) throw new Error(`promtool is not available: ${provision.notRun}`)
  const { exited, stdout, stderr } = startChild(provision.program, parts, { input })
  const code = await exited()
  return { code, said: stdout() + stderr() }
}
