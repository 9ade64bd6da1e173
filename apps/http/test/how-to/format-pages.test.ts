import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ProblemCode, problemType } from '../../src/api/responses/refusals.ts'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { correcting, permissions, tokenOf } from '../support/tokens.ts'

const token = tokenOf('anna')
const pages = [
  { name: 'keep-metadata', token },
  { name: 'bid-by-maximum', token },
  { name: 'cancel-an-auction', token },
  { name: 'correct-an-auction', token: tokenOf('moderator', { permissions: [...permissions, correcting] }) },
  { name: 'extend-late-auctions', token },
  { name: 'sell-at-once', token },
  { name: 'sell-at-a-falling-price', token },
  { name: 'set-a-reserve', token },
  { name: 'set-increments', token },
]

test.each(pages)('the page $name prints what its commands print', async ({ name, token }) => {
  const { url } = await startServer()
  await followPage(readPage(`how-to/${name}.md`), openShell({ AUCTIONS_URL: url, AUCTIONS_TOKEN: token }))
})

const scripted = [...pages.slice(1), { name: 'repair-a-running-auction' }]

// The tables of the domain's tests, in `packages/domain/test/auction`, have the cases of these pages.
describe.each(scripted)('the page $name', ({ name }) => {
  const page = readPage(`how-to/${name}.md`)

  test('has a script that prints what its last comment shows', async () => {
    const script = join(import.meta.dirname, 'scripts', `${name}.ts`)
    let printed = ''
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
      printed += `${format(...values)}\n`
    })
    onTestFinished(() => log.mockRestore())
    await import(script)
    const [, shown = ''] = readFileSync(script, 'utf8').split('\n// Prints:\n')
    expect(printed).toBe(shown.replaceAll(/^\/\/ /gm, ''))
  })

  test('names each code with its status', () => {
    // The cast: a code that does not exist fails the test.
    for (const [, status, code] of page.matchAll(/\b([45]\d\d) `([a-z-]+)`/g)) {
      expect([code, problemType(code as ProblemCode).status]).toEqual([code, Number(status)])
    }
  })
})
