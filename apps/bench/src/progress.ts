import type { WriteStream } from 'node:tty'
import type { Sample } from './measure/sample.ts'
import { number } from './report/numbers.ts'

export type Progress = {
  /** Announces a section and how many steps it has. */
  section(name: string, steps: number): void
  begin(step: string): void
  end(step: string, sample?: Sample): void
  /** Leaves the terminal's line as it found it. */
  clear(): void
}

const barWidth = 24

/** On a terminal one line that is written over, elsewhere a line for each step that is done. */
export function showProgress(out: Pick<WriteStream, 'write' | 'isTTY' | 'columns'>): Progress {
  let name = ''
  let steps = 1
  let done = 0

  const overwrite = (text: string) => {
    if (out.isTTY) out.write(`\r\u001b[2K${text.slice(0, (out.columns || 80) - 1)}`)
  }

  return {
    section(startedName, itsSteps) {
      name = startedName
      steps = itsSteps
      done = 0
    },
    begin(step) {
      const filled = Math.round((done / steps) * barWidth)
      overwrite(`[${'#'.repeat(filled).padEnd(barWidth, '.')}] ${name} ${done + 1}/${steps}, ${step}`)
    },
    end(step, sample) {
      done += 1
      if (!out.isTTY) out.write(`${name} ${done}/${steps}, ${step}${resultText(sample)}\n`)
    },
    clear: () => overwrite(''),
  }
}

const resultText = (sample: Sample | undefined): string =>
  sample?.acceptedPerSecond === undefined ? '' : `: ${number(sample.acceptedPerSecond)}/s`
