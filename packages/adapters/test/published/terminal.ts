import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** The shell of somebody who has nothing of this workspace but a clone of it. */
export type Terminal = {
  /** Runs commands to their end, and stays in the folder where they end. @throws Error with what they said, when one fails */
  run(commands: string): Promise<void>
  /** Runs commands from home that several pages have, such as the installation, where none has run them yet. */
  runOnce(commands: string): Promise<void>
  /** Starts a command that runs until it is interrupted. */
  start(command: string): void
  /** Ends by Ctrl-C what was started, if anything was. */
  interrupt(): Promise<void>
  /** What the last command has printed; of one that still runs, as soon as it has printed so many characters. */
  printed(length: number): Promise<string>
  folder(): string
  goHome(): void
  /** Kills whatever still runs. */
  close(): void
}

type Job = { readonly child: ChildProcess; readonly ended: Promise<unknown>; output: string; errors: string }

/** @param node the folder of the Node.js that commands run under */
export async function openTerminal(home: string, node: string): Promise<Terminal> {
  const port = String(await freePort())
  const folderFile = join(home, '.folder')
  const env = { ...strangersEnvironment(node), PORT: port, FOLDER_FILE: folderFile }
  const foldersAfter = new Map<string, string>()
  let folder = home
  let last: Job | undefined
  let running: Job | undefined

  function spawnShell(commands: string): Job {
    // Pages name a port; here, any that is free takes its place.
    const script = commands.replaceAll('8080', port)
    // In a group of its own, so that nothing that it starts is left behind.
    const child = spawn('bash', ['-ec', script], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const job: Job = { child, ended: once(child, 'close'), output: '', errors: '' }
    child.stdout.on('data', (chunk) => {
      job.output += chunk
    })
    child.stderr.on('data', (chunk) => {
      job.errors += chunk
    })
    last = job
    return job
  }

  function signal({ child }: Job, name: NodeJS.Signals): void {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, name)
  }

  async function run(commands: string): Promise<void> {
    const job = spawnShell(`${commands}\npwd >"$FOLDER_FILE"`)
    await job.ended
    if (job.child.exitCode !== 0) throw new Error(`failed: ${commands}\n${job.output}${job.errors}`)
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
      running = spawnShell(`exec ${command}`)
    },
    async interrupt() {
      if (running === undefined) return
      signal(running, 'SIGINT')
      await running.ended
      running = undefined
    },
    async printed(length) {
      if (last === undefined) throw new Error('nothing has been run')
      const { child, ended } = last
      while (last === running && last.output.length < length) {
        if (child.exitCode !== null) throw new Error(`it has ended: ${last.output}${last.errors}`)
        await Promise.race([once(child.stdout ?? child, 'data'), ended])
      }
      return last.output
    },
    folder: () => folder,
    goHome() {
      folder = home
    },
    close() {
      if (last !== undefined) signal(last, 'SIGKILL')
      if (running !== undefined) signal(running, 'SIGKILL')
    },
  }
}

/** What the tools of this workspace leave for the programs that they start, but for where npm finds packages. */
const ours = /^(npm_(?!config_(registry|userconfig|cafile|cache)$)|pnpm_|turbo_|vitest|node$|node_(env|options|path)$)/i

export function strangersEnvironment(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: [node, ...path].join(delimiter) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}
