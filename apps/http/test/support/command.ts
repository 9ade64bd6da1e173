import { vi } from 'vitest'
import { runCommand } from '../../src/command-line/run-command.ts'
import { start } from '../../src/process/start.ts'
import { startProcess, temporaryFolder } from './server-process.ts'

/**
 * Runs a command, or without `args` a start that fails, in this process, in a folder and with only this environment. It starts in a
 * hundredth of the time that a process takes.
 */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { env, exitCode } = process
  const own = process.cwd()
  const written = { stdout: '', stderr: '' }
  const writers = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    }),
  )
  const removeAdded = emitters.map(listenersOf)
  process.chdir(folder)
  process.env = { PORT: '0', ...environment }
  try {
    await (args.length === 0 ? start() : runCommand(args))
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    for (const remove of removeAdded) remove()
    for (const writer of writers) writer.mockRestore()
    process.chdir(own)
    process.env = env
    process.exitCode = exitCode
  }
}

/** A start adds listeners to these, which it leaves to the end of its process. Node.js warns of the eleventh one. */
const emitters: readonly NodeJS.EventEmitter[] = [process, process.stdout, process.stderr]

/** Returns a function that removes the listeners that were added since. */
function listenersOf(emitter: NodeJS.EventEmitter): () => void {
  const before = new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]))
  return () => {
    // The cast: the type of `rawListeners` is wider than that of what `off` takes.
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name) as ((...args: unknown[]) => void)[])
        if (before.get(name)?.includes(listener) !== true) emitter.off(name, listener)
  }
}

type CommandOptions = {
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  /** The code of a module that a process runs first. Without it, the command runs in this process. */
  readonly before?: string
}

/** Runs the command of an option to its end. */
export const runnerOf =
  (option: string) =>
  async (args: readonly string[], { folder = temporaryFolder(), environment = {}, before }: CommandOptions) => {
    if (before === undefined) return runHere([option, ...args], environment, folder)
    const child = startProcess(environment, { folder, args: [option, ...args], before })
    return { code: await child.exited(), stdout: child.stdout(), stderr: child.stderr() }
  }
