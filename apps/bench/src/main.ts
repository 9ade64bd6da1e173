import { type Options, readOptions, usage } from './options.ts'
import { showProgress } from './progress.ts'
import { environmentLine } from './report/environment.ts'
import { asText } from './report/table.ts'
import { tablesOf } from './report/tables.ts'
import { writeResults } from './report/write.ts'
import { run } from './run.ts'

const say = (text: string) => process.stdout.write(text)

const options = optionsOrComplaint()
if (options !== undefined) await main(options)

async function main(options: Options): Promise<void> {
  const progress = showProgress(process.stdout)
  const results = await run(options, progress)
  progress.clear()
  say(`\n${environmentLine(results.environment)}\n\n`)
  for (const table of tablesOf(results)) say(`${asText(table)}\n`)
  for (const note of results.notes) say(`Note: ${note}\n`)
  for (const path of await writeResults(results, options.outFolder)) say(`Wrote ${path}\n`)
}

function optionsOrComplaint(): Options | undefined {
  try {
    const given = readOptions(process.argv.slice(2), process.env)
    if (given !== 'help') return given
    say(usage)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exitCode = 2
  }
  return undefined
}
