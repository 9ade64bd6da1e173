import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'

export type ProcessOptions = {
  /** A file descriptor for its standard output; the test reads it by default. */
  readonly stdout?: number
  /** The current folder of the process, which has its data by default; a new folder if omitted. */
  readonly folder?: string
  /** Its command line. */
  readonly args?: readonly string[]
  /** The code of a module that it runs first. */
  readonly before?: string
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// What `pnpm start` runs: `node`, its flags, and the file.
const [, ...startWords] = String(scripts.start).split(' ')
const flags = startWords.slice(0, -1)
const compileCache = join(root, 'node_modules/.cache/compile')
const main = join(root, startWords.at(-1) ?? '')

/** The arguments of `node` with which `pnpm start` starts the service, in any folder. */
export const startArguments: readonly string[] = [...flags, main]

/** Creates a folder, and removes it after the test and its later hooks. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'auction-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts the service as production does, in a process with only this environment. */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  { stdout, folder = temporaryFolder(), args = [], before }: ProcessOptions = {},
): Child {
  const imports = before === undefined ? [] : [`--import=data:text/javascript,${encodeURIComponent(before)}`]
  return startChild(process.execPath, [...flags, ...imports, main, ...args], {
    cwd: folder,
    // Starts share their compiled code.
    env: { PATH: process.env['PATH'], PORT: '0', NODE_COMPILE_CACHE: compileCache, ...environment },
    ...(stdout !== undefined && { stdout }),
  })
}

/** Starts a process and waits for its URL, which it prints in a trial and logs otherwise. */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): Promise<Child & { readonly url: string; readonly port: number }> {
  const started = startProcess(environment, options)
  await started.until(/Store: .*\n|"msg":"listening.*\n/)
  const url = /http:\/\/[^\s"]+/.exec(started.stdout())?.[0]
  if (url === undefined) throw new Error(`the output has no URL: ${started.stdout()}`)
  return { ...started, url, port: Number(new URL(url).port) }
}

/** The lines of a log, each of which is a JSON object. */
export const logLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
