import module from 'node:module'
import { join } from 'node:path'
import { runtimeFault } from './process/runtime.ts'
import { endOnSignals } from './process/signals.ts'
import { fail } from './process/terminal.ts'

const unsafe = runtimeFault(process.versions.node)
// `pnpm start -- --help` passes the dashes on.
const args = process.argv.slice(process.argv[2] === '--' ? 3 : 2)
endOnSignals()
if (unsafe === undefined) {
  // Node strips the types once, which halves the startup time from sources. It caches nothing where it cannot write.
  module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
  // A command does not load the server.
  if (args.length === 0) await (await import('./process/start.ts')).start()
  else await (await import('./command-line/run-command.ts')).runCommand(args)
} else {
  fail(unsafe)
}
