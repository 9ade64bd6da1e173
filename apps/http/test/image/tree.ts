import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, type Dirent, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { dockerfile, root } from '../../../../tools/image/dockerfile.ts'

/** The files of the image, in a folder of this machine, with the one program that the image runs. */
export type Tree = {
  readonly path: string
  /** A folder that the service may write to, as the volume of a container; a new one at each call. */
  volume(): string
  /** Starts a command of the image, with its environment and this, as a user who can write nothing but a volume. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>, folder?: string): Started
  remove(): void
}

type Started = {
  readonly child: ChildProcess
  readonly output: () => string
  /** Waits until the output matches, and answers the match. @throws Error when the process ends before */
  until(pattern: RegExp): Promise<RegExpExecArray>
  exited(): Promise<number | null>
}

// Root can write to whatever is read-only, so it hands over to somebody else. Others are stopped by the modes alone.
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/** Builds the tree as the Dockerfile does, and makes it read-only. */
export async function buildTree(): Promise<Tree> {
  const home = mkdtempSync(join(tmpdir(), 'auction-image-'))
  chmodSync(home, 0o755)
  const path = join(home, 'tree')
  const build = dockerfile.build.replace(dockerfile.folder, '"$1"')
  await promisify(execFile)('sh', ['-c', build, 'sh', path], { cwd: root })
  const bin = join(home, 'bin')
  mkdirSync(bin)
  copyFileSync(process.execPath, join(bin, 'node'))
  setWritable(path, false)

  function volume(): string {
    const folder = mkdtempSync(join(home, 'volume-'))
    if (isRoot) chownSync(folder, nobody, nobody)
    return folder
  }

  function start(
    [program = '', ...parameters]: readonly string[],
    environment: Record<string, string>,
    cwd = volume(),
  ) {
    const inTree = parameters.map((parameter) => parameter.replace(dockerfile.folder, path))
    const child = spawn(join(bin, program), inTree, {
      cwd,
      env: { PATH: bin, ...dockerfile.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity,
    })
    return followed(child)
  }

  function remove(): void {
    setWritable(path, true)
    rmSync(home, { recursive: true })
  }
  return { path, volume, start, remove }
}

/** All that is in a folder, at any depth. Unlike a glob it sees what begins with a dot, as `.pnpm` does; links are not followed. */
export const entriesIn = (path: string): readonly Dirent[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })

/** Lets nobody make or remove a file there. The files themselves are links to those of pnpm's store, whose modes are not ours. */
function setWritable(path: string, isWritable: boolean): void {
  const folders = entriesIn(path).filter((entry) => entry.isDirectory())
  for (const folder of [path, ...folders.map(({ parentPath, name }) => join(parentPath, name))]) {
    chmodSync(folder, isWritable ? 0o755 : 0o555)
  }
}

function followed(child: ChildProcess): Started {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const closed = once(child, 'close').then(() => undefined)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  async function until(pattern: RegExp): Promise<RegExpExecArray> {
    while (true) {
      const match = pattern.exec(output)
      if (match !== null) return match
      await Promise.race([once(child.stdout ?? child, 'data'), closed.then(failed)])
    }

    function failed(): never {
      throw new Error(`the process ended before ${pattern} came: ${output}`)
    }
  }
  async function exited(): Promise<number | null> {
    await closed
    return child.exitCode
  }
  return { child, output: () => output, until, exited }
}
