import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/**
 * Sources that are mutated together because the same tests cover them. Paths and patterns are from the workspace's
 * root.
 */
export type Area = {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** The tests that take many seconds, which run only with `--slow`. */
  readonly slowTests: readonly string[]
  readonly excludedTests: readonly string[]
  /** The time limit of a test, because many mutants make a test hang: far more than each test takes. */
  readonly testTimeoutMs: number
}

const areaOf = (name: string, parts: Partial<Area> = {}): Area => ({
  ...{ name, sources: globSync(`packages/${name}/src/**/*.ts`), tests: [`packages/${name}/test/**/*.test.ts`] },
  ...{ slowTests: [], excludedTests: [], testTimeoutMs: 10_000 },
  ...parts,
})

const domain = areaOf('domain', {
  slowTests: ['packages/domain/test/simulation/**'],
  excludedTests: [
    'packages/domain/test/simulation/planted-bugs.test.ts',
    // They bundle the sources, and mutants cannot be enabled in a bundle. Mutants also change the sizes.
    'packages/domain/test/portability.test.ts',
    'packages/domain/test/sizes/**',
  ],
})

const client = areaOf('client', {
  // `api.ts` has types only.
  sources: globSync('packages/client/src/**/*.ts').filter((file) => !file.endsWith('api.ts')),
  excludedTests: ['packages/client/test/size.test.ts'],
})

// The stores that use the shared sources.
const testsOfShared = ['mongodb/address', 'sqlite/stored-rows'].map((test) => `packages/adapters/test/${test}.test.ts`)

/** Every adapter with tests. */
const adapters: readonly Area[] = globSync('packages/adapters/src/*/*.ts')
  .map((file) => file.split(/[\\/]/)[3] ?? '')
  .filter(
    (name, index, names) => names.indexOf(name) === index && globSync(`packages/adapters/test/${name}`).length > 0,
  )
  .sort()
  .map((name) =>
    areaOf(name, {
      sources: globSync(`packages/adapters/src/${name}/**/*.ts`),
      tests: [`packages/adapters/test/${name}/**/*.test.ts`, ...(name === 'shared' ? testsOfShared : [])],
      slowTests:
        name === 'mongodb' || name === 'postgresql'
          ? ['contracts', 'unavailable'].map((test) => `packages/adapters/test/${name}/${test}.test.ts`)
          : [],
      testTimeoutMs: 20_000,
    }),
  )

/**
 * The areas of some sources, each with the selected part.
 * @param wanted paths or globs, each with an optional `:line` or `:line-line`; all sources if empty
 * @throws RangeError with the pattern that matches no source
 */
export function areasOf(wanted: readonly string[]): readonly Area[] {
  const areas = [domain, areaOf('delivery'), client, ...adapters]
  if (wanted.length === 0) return areas
  const parts = wanted.map((text) => {
    const [, pattern = text, from, to = from] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(text) ?? []
    return { text, pattern: pattern.replace(/\/$/, ''), lines: from === undefined ? '' : `:${from}-${to}` }
  })
  const isMeant = (pattern: string, source: string) => matchesGlob(source, pattern) || source.startsWith(`${pattern}/`)
  for (const { text, pattern } of parts) {
    if (!areas.some(({ sources }) => sources.some((source) => isMeant(pattern, source)))) {
      throw new RangeError(`no mutated source matches ${text}`)
    }
  }
  return areas
    .map((area) => {
      const sources = area.sources.flatMap((source) =>
        parts.filter(({ pattern }) => isMeant(pattern, source)).map(({ lines }) => source + lines),
      )
      return { ...area, sources }
    })
    .filter(({ sources }) => sources.length > 0)
}
