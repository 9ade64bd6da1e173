import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './terminal.ts'

export const packages = ['domain', 'delivery', 'testing', 'adapters', 'client'] as const
export type PackageName = (typeof packages)[number]

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

export const sourcesOf = (name: PackageName): string => join(root, 'packages', name)

/** Every import specifier of a package. */
export const namesOf = (name: PackageName): readonly string[] =>
  Object.keys(manifestIn(sourcesOf(name)).exports).map((path) => path.replace('.', `@auction/${name}`))

/** The minimum Node.js version of a range such as `^24.14.1 || >=25.8.2`. */
export function leastNodeOf({ engines }: Manifest): string {
  const least = /^\^(\d+\.\d+\.\d+) /.exec(engines.node)?.[1]
  if (least === undefined) throw new Error(`the range ${engines.node} does not begin with its least version`)
  return least
}
