import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ConfigurationReading, readConfiguration } from '../configuration/read-configuration.ts'
import { terminal } from './terminal.ts'

/** Does what the command line asks for instead of serving. `args` is what stands behind the name of the program. */
export async function runCommand(args: readonly string[]): Promise<void> {
  // `pnpm start -- --help` passes the dashes on.
  const given = args[0] === '--' ? args.slice(1) : args
  try {
    if (given[0] === 'token') await mintToken(given.slice(1))
    else await runOption(given)
  } catch (error) {
    if (!isArgumentError(error)) throw error
    // Beyond its first sentence, Node explains its own parser.
    terminal.refuse(`${error.message.split(/[.\n] ?/, 1)[0]}; --help tells what there is`)
  }
}

async function runOption(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      check: { type: 'boolean' },
    },
  })
  if (positionals[0] !== undefined) {
    terminal.refuse(`There is no command "${positionals[0]}"; there is "token", and --help tells the rest`)
  } else if (values.help) {
    const { helpText } = await import('./help.ts')
    terminal.print(helpText())
  } else if (values.version) {
    const { readVersion } = await import('../version.ts')
    terminal.print(readVersion())
  } else if (values.check) {
    const { check } = await import('./check.ts')
    await check(reading(), terminal)
  } else {
    // Only the dashes were given.
    const { start } = await import('../process/start.ts')
    await start()
  }
}

async function mintToken(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subject: { type: 'string' },
      permissions: { type: 'string' },
      user: { type: 'string' },
      'expires-in': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return runOption(['--help'])
  const { printToken } = await import('./token.ts')
  await printToken(values, process.env, reading(), terminal)
}

const reading = (): ConfigurationReading => readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))

const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
