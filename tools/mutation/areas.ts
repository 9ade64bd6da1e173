import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** Sources that are mutated together, as the same tests are to notice it. Paths and patterns are from the workspace's root. */
export type Area = {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** Those of the tests that take many seconds, and are left out unless they are asked for. */
  readonly slowTests: readonly string[]
  readonly excludedTests: readonly string[]
  /** When a test counts as one that hangs, as many do on a mutant: far more than each of them takes, and no more. */
  readonly testTimeoutMs: number
}

// Contract suites are no part of it: their own tests plant bugs in stores, which they have to find.
const domain: Area = {
  name: 'domain',
  sources: globSync('packages/domain/src/**/*.ts', { exclude: ['packages/domain/src/testing/**'] }),
  tests: ['packages/domain/test/**/*.test.ts'],
  slowTests: ['packages/domain/test/simulation/**'],
  excludedTests: [
    'packages/domain/test/testing/**',
    'packages/domain/test/simulation/planted-bugs.test.ts',
    // They bundle the sources, and no mutant can be switched on in a bundle; those of mutants are of other sizes, too.
    'packages/domain/test/portability.test.ts',
    'packages/domain/test/sizes/**',
  ],
  testTimeoutMs: 10_000,
}

/** Every adapter that has tests of its own. */
const adapters: readonly Area[] = globSync('packages/adapters/src/*/*.ts')
  .map((file) => file.split(/[\\/]/)[3] ?? '')
  .filter(
    (name, index, names) => names.indexOf(name) === index && globSync(`packages/adapters/test/${name}`).length > 0,
  )
  .sort()
  .map((name) => ({
    name,
    sources: globSync(`packages/adapters/src/${name}/**/*.ts`),
    tests: [`packages/adapters/test/${name}/**/*.test.ts`],
    slowTests:
      name === 'mongodb' || name === 'postgresql'
        ? ['contracts', 'unavailable'].map((test) => `packages/adapters/test/${name}/${test}.test.ts`)
        : [],
    excludedTests: [],
    testTimeoutMs: 20_000,
  }))

/**
 * The areas of some sources, each with what of it is meant.
 * @param wanted - paths or globs, each with `:line` or `:line-line` behind it if only these are meant; all sources if there are none
 * @throws RangeError that names what matches no source
 */
export function areasOf(wanted: readonly string[]): readonly Area[] {
  const areas = [domain, ...adapters]
  if (wanted.length === 0) return areas
  const places = wanted.map((text) => {
    const [, pattern = text, from, to = from] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(text) ?? []
    return { text, pattern: pattern.replace(/\/$/, ''), lines: from === undefined ? '' : `:${from}-${to}` }
  })
  const isMeant = (pattern: string, source: string) => matchesGlob(source, pattern) || source.startsWith(`${pattern}/`)
  for (const { text, pattern } of places) {
    if (!areas.some(({ sources }) => sources.some((source) => isMeant(pattern, source)))) {
      throw new RangeError(`no source that is mutated matches ${text}`)
    }
  }
  return areas
    .map((area) => {
      const sources = area.sources.flatMap((source) =>
        places.filter(({ pattern }) => isMeant(pattern, source)).map(({ lines }) => source + lines),
      )
      return { ...area, sources }
    })
    .filter(({ sources }) => sources.length > 0)
}
