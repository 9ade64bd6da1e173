import { spawnSync } from 'node:child_process'
import { delimiter, isAbsolute, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { missing, type Program, programs } from './needs.ts'

/** Finds each program once per run. Without one, its tests are skipped and the run reports that at its end, or fails. */
export default function setup(project: TestProject): void {
  // The cast: these are the keys.
  for (const need of Object.keys(programs) as Program[]) {
    const program = findProgram(need)
    project.provide(need, program === undefined ? missing(need, notRun(need)) : { program })
  }
}

/** The path of a program, or undefined if none can be started. */
export function findProgram(need: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = candidatesOf(need).flatMap((name) =>
    isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
  )
  return paths.find((path) => spawnSync(path, ['--version']).status === programs[need].code)
}

function candidatesOf(need: Program): readonly string[] {
  const { variable, names } = programs[need]
  const named = process.env[variable]
  return named === undefined || named === '' ? names : [named]
}

const notRun = (need: Program): string => `${candidatesOf(need).join(' and ')} cannot be started`
