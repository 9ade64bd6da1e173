import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from './measure/rows.ts'
import { type Options, readOptions, usage } from './options.ts'
import { onlySectionOf, pageOf, tableOf, targetTable } from './report/page.ts'
import { run } from './run.ts'
import { endAllScopes } from './scope.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') say(usage)
  else await main(options)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 2
}

async function main(options: Options): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void endAllScopes().finally(() => process.exit(130)))
  }
  await mkdir(options.outFolder, { recursive: true })
  const file = `${onlySectionOf(options) ?? 'results'}.md`
  for await (const results of run(options, say)) {
    if (results.added.length > 0) say(`\n${tableOf(results.added)}\n\n${targetTable(results.added)}\n`)
    // Written now, since a later section may end the process.
    await writeFile(join(options.outFolder, file), pageOf(results, options))
  }
  say(`Wrote ${file} to ${options.outFolder}`)
}
