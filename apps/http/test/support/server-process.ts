import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/**
 * Starts a process with this environment and nothing of the tests' own.
 * @param stdout where its standard output goes, if not to the test
 */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  stdout: 'pipe' | number = 'pipe',
): ServerProcess {
  const child = spawn(process.execPath, ['--conditions=@auction/source', main], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', stdout, 'pipe'],
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
): Promise<ServerProcess & { readonly url: string }> {
  const started = startProcess(environment)
  await started.until(/Store: .*\n|"msg":"listening.*\n/)
  const url = /http:\/\/[^\s"]+/.exec(started.stdout())?.[0]
  if (url === undefined) throw new Error(`the start tells no address: ${started.stdout()}`)
  return { ...started, url }
}
