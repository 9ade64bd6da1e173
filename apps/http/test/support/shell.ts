import { dirname } from 'node:path'
import { startChild } from '../../../../tools/vitest/child.ts'

/** A shell that stays what its last command has made it: with its variables, functions and folder. */
export type Shell = {
  /** What the commands print. @throws Error with what they have said, when the shell ends */
  run(commands: string): Promise<string>
}

/** Opens a shell for one test. In its path is the Node.js that runs the tests. */
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
      // Printed after what the commands print, and by nothing else.
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
