import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { startChild } from '../../../../tools/vitest/child.ts'

/** A page of the documentation, by its path below `docs/`. */
export const readPage = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../docs', path), 'utf8')

/** Commands of a page, and their output if the page has it. */
type Step = { readonly commands: string; readonly waits: boolean; readonly prints: string | undefined }

const stepPattern =
  /<!-- (?<mark>runs|waits) -->\n+```sh\n(?<commands>[\s\S]*?)```(?:\s*<!-- prints -->\n+```\w*\n(?<prints>[\s\S]*?)```)?/g

/** The blocks of shell commands marked `runs`, or `waits` if time has to pass first. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(stepPattern)].map(({ groups }) => ({
    commands: groups?.['commands'] ?? '',
    waits: groups?.['mark'] === 'waits',
    prints: groups?.['prints'],
  }))
}

/** Runs the commands of a page and compares their output. `…` on the page matches any text. */
export async function followPage(
  page: string,
  shell: Shell,
  beforeEach?: (step: Step) => Promise<void>,
): Promise<void> {
  const steps = stepsOf(page)
  expect(steps).not.toEqual([])
  for (const step of steps) {
    await beforeEach?.(step)
    const printed = await shell.run(step.commands)
    if (step.prints !== undefined) expect(printed.trimEnd()).toMatch(patternOf(step.prints.trimEnd()))
  }
}

const patternOf = (text: string): RegExp => new RegExp(`^${text.split('…').map(escapePattern).join('.*')}$`)

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

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
