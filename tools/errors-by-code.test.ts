import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names that a source imports from the domain or the adapters as a package. */
const importedFromPackages = (source: string): readonly string[] =>
  [...source.matchAll(/^import (?<what>[^'"]*) from '@auction\//gm)].flatMap(
    ({ groups }) => groups?.['what']?.match(/\w+/g) ?? [],
  )

// A program may contain a package twice. Then an error of one copy is not an instance of the other's class.
test('errors of another package are identified by code and not by class', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'])
  const sources = files.map((file) => ({ file, source: readFileSync(file, 'utf8') }))
  const identifiedByClass = sources.flatMap(({ file, source }) =>
    [...source.matchAll(/instanceof (?<name>\w+)/g)]
      .filter(({ groups }) => importedFromPackages(source).includes(groups?.['name'] ?? ''))
      .map(([text]) => `${file}: ${text}`),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(identifiedByClass).toEqual([])
})
