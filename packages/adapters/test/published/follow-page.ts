import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { root, type Terminal } from './terminal.ts'

/** One step of a page: a command to run, or a result to expect. */
type Step =
  | { readonly does: 'run' | 'run once' | 'start'; readonly commands: string }
  | { readonly does: 'save'; readonly file: string; readonly text: string }
  | { readonly does: 'see'; readonly text: string }
  | { readonly does: 'interrupt' }

const markOrBlock = /<!-- (?<mark>[^\n]*) -->|```(?<language>\w*)\n(?<text>[\s\S]*?)```/g

/** The steps of a page in order. A comment marks the kind of a block, unless it contains plain shell commands. */
function stepsOf(markdown: string): readonly Step[] {
  const steps: Step[] = []
  let mark = ''
  for (const { groups } of markdown.matchAll(markOrBlock)) {
    const { mark: newMark, language, text = '' } = groups ?? {}
    if (newMark === 'Ctrl-C') steps.push({ does: 'interrupt' })
    if (newMark !== undefined) {
      mark = newMark
      continue
    }
    if (mark.startsWith('file: ')) steps.push({ does: 'save', file: basename(mark), text })
    else if (mark === 'prints') steps.push({ does: 'see', text })
    else if (mark === 'keeps running') steps.push({ does: 'start', commands: text })
    else if (language === 'sh') steps.push({ does: mark === 'once' ? 'run once' : 'run', commands: text })
    mark = ''
  }
  return steps
}

/** Performs all steps of a page in order, in a terminal. */
export async function followPage(page: string, terminal: Terminal): Promise<void> {
  terminal.goHome()
  for (const step of stepsOf(readFileSync(join(root, page), 'utf8'))) {
    switch (step.does) {
      case 'run':
        await terminal.run(step.commands)
        break
      case 'run once':
        await terminal.runOnce(step.commands)
        break
      case 'start':
        terminal.start(step.commands)
        break
      case 'save':
        writeFileSync(join(terminal.folder(), step.file), step.text)
        break
      case 'see':
        expect(await terminal.printed(step.text.length)).toBe(step.text)
        break
      case 'interrupt':
        await terminal.interrupt()
        break
      default:
        step satisfies never
    }
  }
  await terminal.interrupt()
}
