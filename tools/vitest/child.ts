import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { onTestFailed, onTestFinished, TestRunner } from 'vitest'

/** A program that a test has started. */
export type Child = {
  readonly child: ChildProcess
  /** What it has written to standard output. */
  readonly stdout: () => string
  /** What it has written to standard error, and why it could not be started. */
  readonly stderr: () => string
  /** Waits until standard output matches, and returns the match. @throws Error with its output when it ends before */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until it has ended and its output is read, and returns the exit code: null after a signal. */
  exited(): Promise<number | null>
  /** Kills it with all that it has started, and waits for the end. */
  kill(): Promise<void>
}

export type ChildOptions = {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  /** The text of its standard input, which is empty by default. `pipe` leaves it open for the test to write to. */
  readonly input?: string
  /** A file descriptor for its standard output; `stdout` stays empty then. */
  readonly stdout?: number
}

/**
 * Starts a program that ends with its test, whether that passes, fails or times out. Outside of a test, in a hook for example, it
 * ends with this process at the latest. When the test fails, what the program wrote to standard error is part of the failure.
 * @param command - a path, or a name to be found in `PATH`
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions = {}): Child {
  const { input, stdout: standardOutput = 'pipe', ...rest } = options
  // Nothing is inherited: vitest ends only when nobody holds its standard error any more. All that the program starts is in the
  // group of the program, and is killed with it.
  const child = spawn(command, args, {
    ...rest,
    stdio: [input === undefined ? 'ignore' : 'pipe', standardOutput, 'pipe'],
    detached: true,
  })
  if (input !== undefined && input !== 'pipe') child.stdin?.end(input)
  let failure = ''
  child.once('error', ({ message }) => {
    failure = message
  })
  // 'close' comes when the streams have ended too, so that nothing is missed.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const [stdout, errors] = [textOf(child.stdout), textOf(child.stderr)]
  const stderr = () => errors() + failure
  guardUntil(child, closed)

  const started: Child = {
    child,
    stdout,
    stderr,
    async until(pattern) {
      for (let hasClosed = false; ; ) {
        const match = pattern.exec(stdout())
        if (match !== null) return match
        if (hasClosed) throw new Error(`${command} ended before ${pattern} came: ${stdout()}${stderr()}`)
        hasClosed = await Promise.race([once(child.stdout ?? child, 'data').then(() => false), closed.then(() => true)])
      }
    },
    async exited() {
      await closed
      return child.exitCode
    },
    async kill() {
      killGroup(child)
      await closed
    },
  }
  if (TestRunner.getCurrentTest() !== undefined) endWithTest(started, command)
  // Without vitest, in a run on demand, no failure shows it.
  // biome-ignore lint/suspicious/noUndeclaredEnvVars: vitest sets it, and no task of turbo depends on it.
  else if (process.env['VITEST'] === undefined) child.stderr?.pipe(process.stderr)
  return started
}

/**
 * Runs a program to its end, and returns what it wrote. It ends with its test, as those of `startChild` do.
 * @throws Error with what it wrote, when it ends with another code than 0
 */
export async function runChild(
  command: string,
  args: readonly string[],
  options?: ChildOptions,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { child, exited, ...output } = startChild(command, args, options)
  const code = await exited()
  const [stdout, stderr] = [output.stdout(), output.stderr()]
  if (code === 0) return { stdout, stderr }
  throw new Error(`${command} ${args.join(' ')} ended with ${code ?? child.signalCode}:\n${stdout}${stderr}`)
}

function endWithTest({ kill, stderr }: Child, command: string): void {
  onTestFinished(kill)
  onTestFailed(() => {
    if (stderr() !== '') throw new Error(`${command} wrote to standard error:\n${stderr()}`)
  })
}

/** At least so many characters of an output are kept, the last ones: the log of hours has no room. */
const keptLength = 16 * 2 ** 20

function textOf(stream: Readable | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
    if (text.length > 2 * keptLength) text = text.slice(-keptLength)
  })
  return () => text
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return // It could not be started.
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended, and so has all that it started.
  }
}

// Reads lines `+ GROUP` and `- GROUP`. When its standard input ends, which is at the end of the process that starts children, even
// by SIGKILL, it kills the groups that are left.
const guardScript = `
groups=
while read -r change group; do
  case $change in
    +) groups="$groups $group" ;;
    -) rest=; for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done; groups=$rest ;;
  esac
done
for one in $groups; do kill -s KILL -- "-$one"; done
`

let guard: Writable | undefined

/** Has the child killed when this process ends before it does. */
function guardUntil({ pid }: ChildProcess, closed: Promise<void>): void {
  if (pid === undefined) return
  guard ??= startGuard()
  guard.write(`+ ${pid}\n`)
  closed.then(() => guard?.write(`- ${pid}\n`))
}

function startGuard(): Writable {
  const process = spawn('sh', ['-c', guardScript], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  process.unref()
  return process.stdin
}
