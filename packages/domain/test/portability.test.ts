import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bareContext, bundleForBrowsers } from './portability/bare-context.ts'
import { scenario } from './portability/scenario.ts'

const here = new URL('.', import.meta.url)
const manifest: { readonly exports: object } = JSON.parse(readFileSync(new URL('../package.json', here), 'utf8'))
const entryPoints = Object.keys(manifest.exports).map((path) => path.replace('.', '@auction/domain'))

/** Imports every public entry point as a whole, so that tree shaking removes nothing, and the scenario. */
const everything = [
  ...entryPoints.map((name, index) => `import * as entry${index} from '${name}'`),
  `export const entryPoints = { ${entryPoints.map((name, index) => `'${name}': entry${index}`).join(', ')} }`,
  `export { scenario } from './portability/scenario.ts'`,
].join('\n')

/** Runs a module’s function \`run\` in a bare context. */
async function runBare(source: string): Promise<unknown> {
  const context = bareContext()
  context.run(await bundleForBrowsers(source, here))
  return context.run('bundle.run()')
}

describe('the domain', () => {
  test('runs unchanged on any JavaScript engine: in a browser, Deno, Bun or a worker', async () => {
    const context = bareContext()
    context.run(await bundleForBrowsers(everything, here))
    expect(context.run('Object.keys(bundle.entryPoints).length')).toBe(entryPoints.length)
    const outcome = await context.run('bundle.scenario()')
    expect(outcome).toBe(await scenario())
    expect(JSON.parse(String(outcome))).toEqual({
      errors: 8,
      placed: [1.005, 'bid-too-low', 1.01, 1.01],
      status: 'Active',
      minimumNextBidMinor: 1_015,
      closed: 1,
      result: { outcome: 'sold', bidId: 2, winnerId: 3, priceMinor: 1_010 },
      own: [[2, 'won']],
      bids: [
        [2, 1_010],
        [1, 1_005],
      ],
    })
  })
})

describe('the check itself', () => {
  test('has a context with the language’s own names and no others', () => {
    const names = String(bareContext().run('Object.getOwnPropertyNames(globalThis).join()')).split(',')
    expect(names).toEqual(expect.arrayContaining(['Object', 'Map', 'Promise', 'JSON', 'Date', 'Math']))
    for (const name of ['process', 'console', 'setTimeout', 'queueMicrotask', 'URL', 'crypto', 'performance', 'Buffer'])
      expect(names).not.toContain(name)
  })

  test('accepts a module that uses only the language', async () => {
    const source = `import { parseMoment } from '@auction/domain/moment'
      export const run = () => parseMoment('2030-01-31T12:00:00Z').epochMs`
    expect(await runBare(source)).toBe(Date.parse('2030-01-31T12:00:00Z'))
  })

  test.each([
    { expression: 'Date.now()', message: 'Date.now may not be used' },
    { expression: 'new Date()', message: 'new Date() may not be used' },
    { expression: 'new (new Date(0).constructor)()', message: 'new Date() may not be used' },
    { expression: 'Math.random()', message: 'Math.random may not be used' },
    { expression: 'setTimeout(() => 1)', message: 'setTimeout is not defined' },
    { expression: '(0, eval)("1")', message: 'Code generation from strings disallowed' },
  ])('fails for a module that uses $expression', async ({ expression, message }) => {
    await expect(runBare(`export const run = () => ${expression}`)).rejects.toThrow(message)
  })

  test.each(['node:fs', 'fs'])('fails for a module that imports %s', async (name) => {
    const source = `import * as built from '${name}'\nexport const run = () => Object.keys(built)`
    await expect(bundleForBrowsers(source, here)).rejects.toThrow(`${name} exists in Node only`)
  })
})
