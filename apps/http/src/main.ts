import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { endOnSignals } from './process/signals.ts'

endOnSignals()

// What Node compiles of the sources it keeps for the next start, which takes half the time then; threads do the same by the
// variable. Not in the folder for temporary files, where others could put code of theirs in its place.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))
enableCompileCache()

const args = process.argv.slice(2)
if (args.length === 0) {
  const { start } = await import('./process/start.ts')
  await start()
} else {
  const { runCommand } = await import('./command-line/run-command.ts')
  await runCommand(args)
}
// At once, as a process that is killed later does not come to it.
flushCompileCache()
