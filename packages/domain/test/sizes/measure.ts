import { gzipSync } from 'node:zlib'
import { bundleForBrowsers } from '../portability/bare-context.ts'

const here = new URL('.', import.meta.url)

const decide = "export { decide } from '@auction/domain/auction'"
const rules = "export { decide, evolve, initialStateOf } from '@auction/domain/auction'"
const parseBid = "export { parseNewBid } from '@auction/domain/parsing'"
const parsing = `${parseBid}
  export { parseNewAuction } from '@auction/domain/parsing'`
const service = "export { createAuctionService } from '@auction/domain'"

/** The parts of the domain that programs import, from the smallest to the whole. */
const parts: Readonly<Record<string, string>> = {
  '`decide` alone': decide,
  'the rules: `decide` and `evolve`': rules,
  '`parseNewBid`, for a form': parseBid,
  'the rules and all parsing, without lanes': `${rules}\n${parsing}`,
  '`createAuctionService`: use cases and lanes': service,
  'the rules, all parsing, use cases and lanes': `${rules}\n${parsing}\n${service}`,
}

export type Size = { readonly what: string; readonly minifiedBytes: number; readonly gzippedBytes: number }

/** The size of each part, bundled with all of its imports. */
export const measureSizes = (): Promise<readonly Size[]> =>
  Promise.all(
    Object.entries(parts).map(async ([what, source]) => {
      const code = await bundleForBrowsers(source, here, { minify: true })
      return { what, minifiedBytes: Buffer.byteLength(code), gzippedBytes: gzipSync(code, { level: 9 }).length }
    }),
  )

export const inKilobytes = (bytes: number): string => (bytes / 1000).toFixed(1)

// `pnpm sizes` prints them.
if (import.meta.main) {
  for (const { what, minifiedBytes, gzippedBytes } of await measureSizes()) {
    const [minified, gzipped] = [minifiedBytes, gzippedBytes].map((bytes) => inKilobytes(bytes).padStart(5))
    process.stdout.write(`${gzipped} kB gzipped, ${minified} kB minified: ${what.replaceAll('`', '')}\n`)
  }
}
