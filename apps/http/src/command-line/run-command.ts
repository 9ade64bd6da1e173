import { parseArgs } from 'node:util'
import { fail, print } from '../process/terminal.ts'
import { readVersion } from '../version.ts'
import { check } from './check.ts'
import { helpText } from './help.ts'
import { printToken } from './token.ts'
import { upgrade } from './upgrade.ts'

const help = { type: 'boolean', short: 'h' } as const
const text = { type: 'string' } as const

/** Runs a command instead of the service. `args` follow the name of the program. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    if (args[0] === 'token') await runToken(args.slice(1))
    else await runOption(args)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'))) throw error
    // Node explains its own parser after its first sentence.
    fail(`${error.message.split(/[.\n] ?/, 1)[0]}; --help lists all commands and options`)
  }
}

const options = {
  help,
  version: { type: 'boolean', short: 'v' },
  check: { type: 'boolean' },
  upgrade: { type: 'boolean' },
  replay: text,
  webhook: text,
  verify: { type: 'boolean' },
  after: text,
  extend: text,
  ending: text,
  zone: text,
  'dry-run': { type: 'boolean' },
  reason: text,
  editor: text,
} as const

/** The command that an option is for. */
const commandOf = {
  webhook: 'replay',
  after: 'verify',
  ending: 'extend',
  zone: 'extend',
  'dry-run': 'extend',
  reason: 'extend',
  editor: 'extend',
} as const

async function runOption(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const unused = Object.entries(commandOf).find(([name, command]) => name in values && !(command in values))
  if (positionals[0] !== undefined && values.verify !== true)
    fail(`Unknown command "${positionals[0]}"; the only command is "token"; see --help`)
  else if (values.help) print(helpText())
  else if (values.version) print(readVersion())
  else if (unused !== undefined) fail(`--${unused[0]}: requires --${unused[1]}; see --help`)
  else if (values.check) await check()
  else if (values.upgrade) await upgrade()
  // Other commands do not load the service.
  else if (values.replay !== undefined) await (await import('./replay.ts')).replay(values.replay, values.webhook)
  else if (values.verify) await (await import('./verify.ts')).verify(positionals, values.after)
  else if (values.extend !== undefined) await (await import('./extend.ts')).extend(values.extend, values)
}

async function runToken(args: readonly string[]): Promise<void> {
  const options = { subject: text, permissions: text, user: text, 'expires-in': text, help } as const
  const { values } = parseArgs({ args: [...args], options })
  if (values.help) print(helpText())
  else await printToken(values)
}
