import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The service as a process, as production runs it. */
export type ServerProcess = {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until standard output holds what is asked for. */
  until(pattern: RegExp): Promise<void>
  /** Waits for the end, and answers the exit code. */
  exited(): Promise<number | null>
}

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

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Makes a folder that is removed after the test. Of a test's hooks, those registered last run first. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'auction-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a process with this environment and nothing of the tests' own. */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  { stdout, folder = temporaryFolder(), args = [], before }: ProcessOptions = {},
): ServerProcess {
  const imports = before === undefined ? [] : [`--import=data:text/javascript,${encodeURIComponent(before)}`]
  const child = spawn(process.execPath, ['--conditions=@auction/source', ...imports, main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  // 'close' comes when the streams have ended too, so that nothing is missed.
  const closed = once(child, 'close').then(() => undefined)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async until(pattern) {
      while (!pattern.test(output.stdout)) {
        await Promise.race([once(child.stdout ?? child, 'data'), closed.then(failed)])
      }

      function failed(): never {
        throw new Error(`the process ended before ${pattern} came: ${output.stdout}${output.stderr}`)
      }
    },
    async exited() {
      await closed
      return child.exitCode
    },
  }
}

/** Starts a process, and answers it with the address that it tells: to people in a trial, else in its log. */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): Promise<ServerProcess & { readonly url: string }> {
  const started = startProcess(environment, options)
  await started.until(/Store: .*\n|"msg":"listening.*\n/)
  const url = /http:\/\/[^\s"]+/.exec(started.stdout())?.[0]
  if (url === undefined) throw new Error(`the start tells no address: ${started.stdout()}`)
  return { ...started, url }
}
