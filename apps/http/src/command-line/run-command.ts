import { parseArgs } from 'node:util'
import { fail, print } from '../process/terminal.ts'
import { readVersion } from '../version.ts'
import { check } from './check.ts'
import { helpText } from './help.ts'
import { printToken } from './token.ts'

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

async function runOption(args: readonly string[]): Promise<void> {
  const version = { type: 'boolean', short: 'v' } as const
  const options = { help, version, check: { type: 'boolean' }, replay: text, webhook: text } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  if (positionals[0] !== undefined) fail(`Unknown command "${positionals[0]}"; the only command is "token"; see --help`)
  else if (values.help) print(helpText())
  else if (values.version) print(readVersion())
  else if (values.check) await check()
  // Other commands do not load the service.
  else if (values.replay !== undefined) await (await import('./replay.ts')).replay(values.replay, values.webhook)
  else if (values.webhook !== undefined) fail('--webhook: requires --replay; see --help')
}

async function runToken(args: readonly string[]): Promise<void> {
  const options = { subject: text, permissions: text, user: text, 'expires-in': text, help } as const
  const { values } = parseArgs({ args: [...args], options })
  if (values.help) print(helpText())
  else await printToken(values)
}
