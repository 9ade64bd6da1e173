import { dirname } from 'node:path'
import { startChild } from '../../../../tools/vitest/child.ts'

/** A shell that keeps the state of earlier commands: variables, functions and the current folder. */
export type Shell = {
  /** Runs commands, and returns their output. @throws Error with the output, if the shell ends */
  run(commands: string): Promise<string>
}

/** Opens a shell for one test. Its path has the Node.js that runs the tests. */
export function openShell(variables: Readonly<Record<string, string>>): Shell {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const { child, stdout, until } = startChild('sh', ['-e'], {
    env: { ...process.env, ...variables, PATH: path },
    input: 'pipe',
  })
  let read = 0
  let runs = 0
  return {
    async run(commands) {
      // Marks the end of the output of a command.
      const end = `end of ${++runs}\u0000`
      child.stdin?.write(`${commands}\nprintf 'end of ${runs}\\000'\n`)
      try {
        await until(new RegExp(`${end}$`))
      } catch (cause) {
        throw new Error(`the shell has ended:\n${commands}`, { cause })
      }
      const printed = stdout().slice(read, -end.length)
      read = stdout().length
      return printed
    },
  }
}
