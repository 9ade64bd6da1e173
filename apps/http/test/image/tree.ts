import { chmodSync, chownSync, copyFileSync, type Dirent, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerfile, root } from '../../../../tools/image/dockerfile.ts'
import { type Child, runChild, startChild } from '../../../../tools/vitest/child.ts'

/** The files of the image, in a folder of this machine, with the one program that the image runs. */
export type Tree = {
  readonly path: string
  /** A folder that the service may write to, as the volume of a container; a new one at each call. */
  volume(): string
  /** Starts a command of the image, with its environment and this, as a user who can write nothing but a volume. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>, folder?: string): Child
  remove(): void
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
  await runChild('sh', ['-c', build, 'sh', path], { cwd: root })
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
    return startChild(join(bin, program), inTree, {
      cwd,
      env: { PATH: bin, ...dockerfile.environment, ...environment },
      ...identity,
    })
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
