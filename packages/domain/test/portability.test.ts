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
    const names = bareContext().run('Object.getOwnPropertyNames(globalThis).join()')
    const hosts = [
      'process',
      'console',
      'setTimeout',
      'queueMicrotask',
      'URL',
      'crypto',
      'performance',
      'Buffer',
      'fetch',
    ]
    expect(String(names).split(',')).toEqual(
      expect.arrayContaining(['Object', 'Map', 'Promise', 'JSON', 'Date', 'Math']),
    )
    expect(hosts.filter((name) => String(names).split(',').includes(name))).toEqual([])
    expect(bareContext().run('new Date(0).toISOString()')).toBe('1970-01-01T00:00:00.000Z')
  })

  test('accepts a module that uses only the language', async () => {
    const source = `import { parseMoment } from '@auction/domain/moment'
      export const run = () => parseMoment('2030-01-31T12:00:00Z').epochMs`
    expect(await runBare(source)).toBe(Date.parse('2030-01-31T12:00:00Z'))
  })

  test.each([
    ['Date.now()', 'Date.now may not be used'],
    ['new Date()', 'new Date() may not be used'],
    ['Date()', 'Date() may not be used'],
    ['new (new Date(0).constructor)()', 'new Date() may not be used'],
    ['Math.random()', 'Math.random may not be used'],
    ['process.version', 'process is not defined'],
    ['console.log(1)', 'console is not defined'],
    ['setTimeout(() => 1)', 'setTimeout is not defined'],
    ['queueMicrotask(() => 1)', 'queueMicrotask is not defined'],
    ['new URL("https://example.org")', 'URL is not defined'],
    ['crypto.randomUUID()', 'crypto is not defined'],
    ['performance.now()', 'performance is not defined'],
    ['structuredClone({})', 'structuredClone is not defined'],
    ['new TextEncoder()', 'TextEncoder is not defined'],
    ['Buffer.from("a")', 'Buffer is not defined'],
    ['(0, eval)("1")', 'Code generation from strings disallowed'],
  ])('fails for a module that uses %s', async (expression, message) => {
    await expect(runBare(`export const run = () => ${expression}`)).rejects.toThrow(message)
  })

  test.each(['node:fs', 'fs', 'node:crypto', 'node:diagnostics_channel'])(
    'fails for a module that imports %s',
    async (name) => {
      const source = `import * as built from '${name}'
      export const run = () => Object.keys(built)`
      await expect(bundleForBrowsers(source, here)).rejects.toThrow(`${name} exists in Node only`)
    },
  )

  test('fails for a module with an unresolved import', async () => {
    const source = `import { nothing } from '@auction/domain/nothing'
      export const run = () => nothing`
    await expect(bundleForBrowsers(source, here)).rejects.toThrow('@auction/domain/nothing')
  })
})
