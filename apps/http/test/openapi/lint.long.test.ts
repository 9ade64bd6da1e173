import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
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

test.each([
  { maker: 'Redocly', lint: byRedocly },
  { maker: 'Spectral', lint: bySpectral },
])('the linter of $maker finds nothing in the document', async ({ lint }) => {
  expect(await lint(document)).toEqual([])
})
