import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inKilobytes, measureSizes } from './measure.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The rows of the table of sizes: the bundled part, and its size in kilobytes. */
const written = [...readme.matchAll(/^\| (?<what>.*?) +\| +(?<gzipped>\d+\.\d) \| +(?<minified>\d+\.\d) \|$/gm)].map(
  ({ groups }) => ({ what: groups?.['what'], gzipped: groups?.['gzipped'], minified: groups?.['minified'] }),
)

test('the README lists the actual sizes; `pnpm sizes` prints them', async () => {
  const sizes = await measureSizes()
  expect(written.map(({ what }) => what)).toEqual(sizes.map(({ what }) => what))
  for (const [index, { gzippedBytes, minifiedBytes }] of sizes.entries()) {
    expectClose(written[index]?.gzipped, gzippedBytes)
    expectClose(written[index]?.minified, minifiedBytes)
  }
})

/** Within a tenth: a small change need not touch the README. */
function expectClose(writtenKilobytes: string | undefined, bytes: number): void {
  const difference = Math.abs(Number(writtenKilobytes) * 1000 - bytes)
  expect(difference, `${writtenKilobytes} kB, and it is ${inKilobytes(bytes)}`).toBeLessThanOrEqual(bytes / 10)
}
