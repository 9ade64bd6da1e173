import { onTestFailed, onTestFinished, TestRunner } from 'vitest'
import * as untied from '../../packages/testing/src/child.ts'

export type { Child } from '../../packages/testing/src/child.ts'

/**
 * Starts a program that ends with its test, which may pass, fail or time out. Outside of a test, for example in a hook, it ends
 * with this process at the latest. A failed test reports the program's standard error.
 * @param command a path, or a name in `PATH`
 */
export function startChild(command: string, args: readonly string[], options?: untied.ChildOptions): untied.Child {
  const started = untied.startChild(command, args, options)
  if (TestRunner.getCurrentTest() !== undefined) endWithTest(started, command)
  // Without vitest, in a run on demand, no failed test shows it.
  // biome-ignore lint/suspicious/noUndeclaredEnvVars: vitest sets it, and no task of turbo depends on it.
  else if (process.env['VITEST'] === undefined) started.child.stderr?.pipe(process.stderr)
  return started
}

/**
 * Runs a program to its end, and returns its output. It ends with its test, like those of `startChild`.
 * @throws Error with its output, if its exit code is not 0
 */
export async function runChild(
  command: string,
  args: readonly string[],
  options?: untied.ChildOptions,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { child, exited, ...output } = startChild(command, args, options)
  const code = await exited()
  const [stdout, stderr] = [output.stdout(), output.stderr()]
  if (code === 0) return { stdout, stderr }
  throw new Error(`${command} ${args.join(' ')} ended with ${code ?? child.signalCode}:\n${stdout}${stderr}`)
}

function endWithTest({ kill, stderr }: untied.Child, command: string): void {
  onTestFinished(kill)
  onTestFailed(() => {
    if (stderr() !== '') throw new Error(`${command} wrote to standard error:\n${stderr()}`)
  })
}
