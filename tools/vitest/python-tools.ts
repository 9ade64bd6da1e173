import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { missing } from './needs.ts'

const run = promisify(execFile)
const requirements = 'apps/http/test/clients/python/requirements.txt'

/**
 * Creates a Python environment once for each list of requirements. Without Python or PyPI, its tests are skipped and the run
 * reports that at its end; with `REQUIRE_PYTHON=1` the run fails.
 */
export default async function setup(project: TestProject): Promise<void> {
  const { root } = project.config
  const list = join(root, requirements)
  const name = createHash('sha256').update(readFileSync(list)).digest('hex').slice(0, 16)
  const folder = join(root, 'node_modules/.cache/python', name)
  try {
    if (!existsSync(folder)) await makeEnvironment(folder, list)
    project.provide('python', { programs: join(folder, 'bin') })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    project.provide('python', missing('python', `its environment could not be created: ${reason}`))
  }
}

/** Creates it under a temporary name first, so that an existing one is complete. */
async function makeEnvironment(folder: string, list: string): Promise<void> {
  const unfinished = `${folder}-${randomUUID()}`
  try {
    await run('python3', ['-m', 'venv', unfinished])
    const python = join(unfinished, 'bin/python')
    await run(python, ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '10', '--requirement', list])
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
