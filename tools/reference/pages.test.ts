import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madePages } from './pages.ts'

test.each(madePages)('$path is up to date; `npx -y pnpm@12 docs:reference` writes it', async ({ path, make }) => {
  expect(readFileSync(path, 'utf8')).toBe(await make())
})
