import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

// For `server.ts` and the tests of this repository: packages do not export it.

/** A program that a test started. */
export type Child = {
  readonly child: ChildProcess
  /** Its standard output so far. */
  readonly stdout: () => string
  /** Its standard error so far, and the reason if it could not be started. */
  readonly stderr: () => string
  /**
   * Waits until standard output matches, and returns the match. @throws Error with its output if it ends before that
   */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until it has ended and its output is read, and returns the exit code: null after a signal. */
  exited(): Promise<number | null>
  /** Kills it with all its children, and waits for the end. */
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
 * Starts a program that ends with this process at the latest.
 * @param command a path, or a name in `PATH`
 */
export function startChild(command: string, args: readonly string[], options: ChildOptions = {}): Child {
  const { input, stdout: standardOutput = 'pipe', ...rest } = options
  // Nothing is inherited: vitest ends only when its standard error is closed everywhere. All children of the program
  // are in its group, and are killed with it.
  const child = spawn(command, args, {
    ...rest,
    stdio: [input === undefined ? 'ignore' : 'pipe', standardOutput, 'pipe'],
    detached: true,
  })
  // A program may end without reading its input, which its exit code explains.
  child.stdin?.on('error', () => undefined)
  if (input !== undefined && input !== 'pipe') child.stdin?.end(input)
  let failure = ''
  child.once('error', ({ message }) => {
    failure = message
  })
  // 'close' follows the end of the streams, so the output is complete.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const [stdout, errors] = [textOf(child.stdout), textOf(child.stderr)]
  const stderr = () => errors() + failure
  guardUntil(child, closed)

  return {
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
}

/** The minimum number of characters kept of an output, the last ones: a log of hours is too long. */
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
  if (pid === undefined) return // The start failed.
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended with all its children.
  }
}

// Reads lines `+ GROUP` and `- GROUP`. When its standard input ends with the process that starts children, even by
// SIGKILL, it kills the remaining groups.
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

/** Ensures that the child is killed if this process ends first. */
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
