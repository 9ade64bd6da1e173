import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'

export type ProcessOptions = {
  /** Where its standard output goes, if not to the test. */
  readonly stdout?: number
  /** The current folder of the process, where it keeps what it stores if nothing is said; a new one, if left out. */
  readonly folder?: string
  /** Its command line. */
  readonly args?: readonly string[]
  /** Code of a module that runs in it before its own. */
  readonly before?: string
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// What `pnpm start` runs: `node`, its flags, and the file.
const [, ...startArguments] = String(scripts.start).split(' ')
const flags = startArguments.slice(0, -1)
const main = join(root, startArguments.at(-1) ?? '')

/** Makes a folder that is removed after the test. Of a test's hooks, those registered last run first. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'auction-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts the service as a process, as production runs it, with this environment and nothing of the tests' own. */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  { stdout, folder = temporaryFolder(), args = [], before }: ProcessOptions = {},
): Child {
  const imports = before === undefined ? [] : [`--import=data:text/javascript,${encodeURIComponent(before)}`]
  return startChild(process.execPath, [...flags, ...imports, main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    ...(stdout !== undefined && { stdout }),
  })
}

/** Starts a process, and answers it with the address that it tells: to people in a trial, else in its log. */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): Promise<Child & { readonly url: string }> {
  const started = startProcess(environment, options)
  await started.until(/Store: .*\n|"msg":"listening.*\n/)
  const url = /http:\/\/[^\s"]+/.exec(started.stdout())?.[0]
  if (url === undefined) throw new Error(`the start tells no address: ${started.stdout()}`)
  return { ...started, url }
}
