import { chmodSync, chownSync, copyFileSync, type Dirent, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerfile, root } from '../../../../tools/image/dockerfile.ts'
import { type Child, runChild, startChild } from '../../../../tools/vitest/child.ts'

/** The files of the image in a folder of this machine, with Node.js as the only program. */
export type Tree = {
  readonly path: string
  /** Makes a folder that the service may write to, like the volume of a container. */
  volume(): string
  /** Starts a command of the image, with this added to its environment, as a user who can write only to a volume. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>, folder?: string): Child
  remove(): void
}

// Root ignores modes, so the service then runs as another user.
const isRoot = process.getuid?.() === 0
const unprivilegedId = 65_534
const identity = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {}

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
    if (isRoot) chownSync(folder, unprivilegedId, unprivilegedId)
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

/** All entries of a folder, at any depth. Unlike a glob, it includes names with a leading dot, such as `.pnpm`. It follows no links. */
export const entriesIn = (path: string): readonly Dirent[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })

/** Sets the modes of folders only: the files are links into pnpm's store, so they must keep theirs. */
function setWritable(path: string, isWritable: boolean): void {
  const folders = entriesIn(path).filter((entry) => entry.isDirectory())
  for (const folder of [path, ...folders.map(({ parentPath, name }) => join(parentPath, name))]) {
    chmodSync(folder, isWritable ? 0o755 : 0o555)
  }
}
