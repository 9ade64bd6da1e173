import { spawnSync } from 'node:child_process'
import { describe, inject } from 'vitest'
import type {} from './promtool-program.ts' // Declares what is injected.

/** A suite that needs promtool. Where there is none its tests are skipped, and the run says so at its end. */
export function describePromtool(name: string, body: () => void): void {
  describe.skipIf('notRun' in inject('promtool'))(`${name} (on promtool)`, body)
}

/** Runs promtool, and returns its exit code with all that it says; to be called within `describePromtool`. */
export function runPromtool(
  parts: readonly string[],
  input = '',
): { readonly code: number | null; readonly said: string } {
  const provision = inject('promtool')
  if ('notRun' in provision) throw new Error(`there is no promtool: ${provision.notRun}`)
  const { status: code, stdout, stderr } = spawnSync(provision.program, parts, { input, encoding: 'utf8' })
  return { code, said: stdout + stderr }
}
