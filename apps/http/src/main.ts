import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { runtimeFault } from './process/runtime.ts'

// What follows is imported after this: an older Node.js fails at what it does not have, and says nothing of what is needed.
const unsafe = runtimeFault(process.versions.node)
if (unsafe === undefined) await run()
else {
  process.stderr.write(`${unsafe}\n`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { endOnSignals } = await import('./process/signals.ts')
  endOnSignals()

  // What Node compiles of the sources it keeps for the next start, which takes half the time then; threads do the same by the
  // variable. Not in the folder for temporary files, where others could put code of theirs in its place.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))
  nodeModule.enableCompileCache()

  const args = process.argv.slice(2)
  if (args.length === 0) {
    const { start } = await import('./process/start.ts')
    await start()
  } else {
    const { runCommand } = await import('./command-line/run-command.ts')
    await runCommand(args)
  }
  // At once, as a process that is killed later does not come to it.
  nodeModule.flushCompileCache()
}
