import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names that a source has from the domain or the adapters as another package. */
const importedFromPackages = (source: string): readonly string[] =>
  [...source.matchAll(/^import (?<what>[^'"]*) from '@auction\//gm)].flatMap(
    ({ groups }) => groups?.['what']?.match(/\w+/g) ?? [],
  )

// A program may hold a package twice, and then an error of one copy is no instance of the other's class.
test('errors of another package are told by their code, and not by their class', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'])
  const sources = files.map((file) => ({ file, source: readFileSync(file, 'utf8') }))
  const toldByClass = sources.flatMap(({ file, source }) =>
    [...source.matchAll(/instanceof (?<name>\w+)/g)]
      .filter(({ groups }) => importedFromPackages(source).includes(groups?.['name'] ?? ''))
      .map(([text]) => `${file}: ${text}`),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(toldByClass).toEqual([])
})
