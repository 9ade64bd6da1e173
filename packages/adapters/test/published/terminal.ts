import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'
import { freePort } from '../../../../tools/vitest/free-port.ts'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A shell with only a clone of this workspace. */
export type Terminal = {
  /** Runs commands to their end, and stays in their last folder. @throws Error with their output, if one fails */
  run(commands: string): Promise<void>
  /** Runs commands from home that several pages share, such as the installation, unless they have already run. */
  runOnce(commands: string): Promise<void>
  /** Starts a command that runs until it is interrupted. */
  start(command: string): void
  /** Interrupts the started command, if any, by Ctrl-C. */
  interrupt(): Promise<void>
  /** The output of the last command; of a running one, as soon as it has this many characters. */
  printed(length: number): Promise<string>
  folder(): string
  goHome(): void
}

/** @param node the folder of the Node.js that runs the commands */
export async function openTerminal(home: string, node: string): Promise<Terminal> {
  const port = String(await freePort())
  const folderFile = join(home, '.folder')
  const env = { ...strangersEnvironment(node), PORT: port, FOLDER_FILE: folderFile }
  const foldersAfter = new Map<string, string>()
  let folder = home
  let last: Child | undefined
  let running: Child | undefined

  function startShell(commands: string): Child {
    // Pages name a port, which is replaced with a free one.
    const script = commands.replaceAll('8080', port)
    last = startChild('bash', ['-ec', script], { cwd: folder, env })
    return last
  }

  async function run(commands: string): Promise<void> {
    const job = startShell(`${commands}\npwd >"$FOLDER_FILE"`)
    if ((await job.exited()) !== 0) throw new Error(`failed: ${commands}\n${job.stdout()}${job.stderr()}`)
    folder = readFileSync(folderFile, 'utf8').trim()
  }

  return {
    run,
    async runOnce(commands) {
      const after = foldersAfter.get(commands)
      if (after === undefined) await run(commands)
      folder = after ?? folder
      foldersAfter.set(commands, folder)
    },
    start(command) {
      running = startShell(`exec ${command}`)
    },
    async interrupt() {
      if (running === undefined) return
      const { child, exited } = running
      // Ctrl-C reaches all processes of the command.
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, 'SIGINT')
      await exited()
      running = undefined
    },
    async printed(length) {
      if (last === undefined) throw new Error('nothing has been run')
      if (last === running) await last.until(new RegExp(`(?:.|\\n){${length}}`))
      return last.stdout()
    },
    folder: () => folder,
    goHome() {
      folder = home
    },
  }
}

/** The environment variables of this workspace’s tools, except those for npm’s registry. */
const ours = /^(npm_(?!config_(registry|userconfig|cafile|cache)$)|pnpm_|turbo_|vitest|node$|node_(env|options|path)$)/i

export function strangersEnvironment(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: [node, ...path].join(delimiter) }
}
