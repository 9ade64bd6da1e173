import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { expect, test } from 'vitest'
import { bundleClient, gzippedBytes } from '../../../tools/client/bundle.ts'

const maxBytes = 8_000

test('the client is at most 8 kB gzipped, needs nothing of Node.js, and has the size of its README', async () => {
  const code = await bundleClient()
  expect([...code.matchAll(/\bfrom ?["']([^"']+)["']/g)].filter(([, name = '']) => isBuiltin(name))).toEqual([])
  const bytes = gzippedBytes(code)
  expect(bytes).toBeLessThanOrEqual(maxBytes)
  const [, written] = /(\d+\.\d) kB gzipped/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []
  // Within a tenth: a small change need not touch the README.
  expect(Math.abs(Number(written) * 1_000 - bytes), `${written} kB, and it is ${bytes}`).toBeLessThanOrEqual(bytes / 10)
})

test('a program that imports one part does not load the others', async () => {
  const whole = gzippedBytes(await bundleClient())
  for (const part of ['{ minorOf, formatAmount }', '{ verifyWebhook }', '{ pages }']) {
    expect(gzippedBytes(await bundleClient(part))).toBeLessThan(whole / 4)
  }
})
