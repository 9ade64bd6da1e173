import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import { createOpenApiDocument } from '../../src/api/openapi/document.ts'

const document = JSON.stringify(createOpenApiDocument('0.2.0'))

/** What a linter finds in a document, warnings too. */
type Lint = (document: string) => Promise<readonly string[]>

const byRedocly: Lint = async (source) => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
}

const bySpectral: Lint = async (source) => {
  const linter = new spectralCore.Spectral()
  // The cast: the types of the library do not accept its own ruleset.
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] })
  const problems = await linter.run(JSON.parse(source))
  return problems.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)
}

const linters = [
  { maker: 'Redocly', lint: byRedocly, aboutExamples: /^no-invalid-media-type-examples/ },
  { maker: 'Spectral', lint: bySpectral, aboutExamples: /^oas3-valid-media-example/ },
]

describe.each(linters)('the linter of $maker', ({ lint, aboutExamples }) => {
  test('finds nothing in the document', async () => {
    expect(await lint(document)).toEqual([])
  })

  test('finds an example that is not as its schema says', async () => {
    const invalid = document.replace('"bidCount":2', '"bidCount":"two"')
    expect(invalid).not.toBe(document)
    expect(await lint(invalid)).toContainEqual(expect.stringMatching(aboutExamples))
  })

  test('finds an operation whose parameter is not described', async () => {
    const invalid = document.replace('"name":"id","in":"path"', '"name":"number","in":"path"')
    expect(invalid).not.toBe(document)
    expect(await lint(invalid)).toContainEqual(expect.stringMatching(/^(path-parameters-defined|path-params) /))
  })
})
