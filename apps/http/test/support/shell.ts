import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'

/** A shell that stays what its last command has made it: with its variables, functions and folder. */
export type Shell = {
  /** What the commands print. @throws Error with what they have said, when the shell ends */
  run(commands: string): Promise<string>
}

// Printed behind what commands print, which nobody else prints.
const end = '\u0000end\u0000'

/** Opens a shell for one test. In its path is the Node.js that runs the tests. */
export function openShell(variables: Readonly<Record<string, string>>): Shell {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const child = spawn('sh', ['-e'], { env: { ...process.env, ...variables, PATH: path } })
  const closed = once(child, 'close')
  let printed = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return {
    async run(commands) {
      printed = ''
      child.stdin.write(`${commands}\nprintf '\\000end\\000'\n`)
      while (!printed.endsWith(end)) await Promise.race([once(child.stdout, 'data'), closed.then(failed)])
      return printed.slice(0, -end.length)

      function failed(): never {
        throw new Error(`the shell has ended:\n${commands}\n${printed}${errors}`)
      }
    },
  }
}
