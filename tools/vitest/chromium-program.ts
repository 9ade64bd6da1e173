import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** The browser for tests, or the reason why none is available and whether that is a failure. */
export type ChromiumProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    chromium: ChromiumProvision
  }
}

/**
 * Finds the browser once per run: the one in `CHROMIUM_PATH`, or an installed Chromium or Chrome. Without one, its tests are
 * skipped and the run reports that at its end; with `REQUIRE_CHROMIUM=1` the run fails.
 */
export default function setup(project: TestProject): void {
  project.provide('chromium', provide(process.env))
}

// The headless shell needs half of the processor time.
const usualNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function provide(env: NodeJS.ProcessEnv): ChromiumProvision {
  const program = findChromium(env)
  return program === undefined
    ? { notRun: 'Chromium could not be started', isRequired: env['REQUIRE_CHROMIUM'] === '1' }
    : { program }
}

/** The path of the browser, or undefined if none can be started. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['CHROMIUM_PATH']
  const candidates = named === undefined || named === '' ? usualNames : [named]
  const folders = (env['PATH'] ?? '').split(delimiter)
  const paths = candidates.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
  return paths.find((path) => isProgram(path) && spawnSync(path, ['--version']).status === 0)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
