import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { type ProblemCode, problemType } from '../../src/api/answers/refusals.ts'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { correcting, permissions, tokenOf } from '../support/tokens.ts'

const token = tokenOf('anna')
const formats = [
  { name: 'bid-by-maximum', token },
  { name: 'cancel-an-auction', token },
  { name: 'correct-an-auction', token: tokenOf('moderator', { permissions: [...permissions, correcting] }) },
  { name: 'extend-late-auctions', token },
  { name: 'sell-at-once', token },
  { name: 'set-a-reserve', token },
  { name: 'set-increments', token },
]

test('the page keep-metadata prints what its commands print', async () => {
  const { url } = await startServer()
  await followPage(readPage('how-to/keep-metadata.md'), openShell({ AUCTIONS_URL: url, AUCTIONS_TOKEN: token }))
})

test.each(formats)('the page $name prints what its commands print', async ({ name, token }) => {
  const { url } = await startServer()
  await followPage(readPage(`how-to/${name}.md`), openShell({ AUCTIONS_URL: url, AUCTIONS_TOKEN: token }))
})

const scripted = [...formats, { name: 'repair-a-running-auction' }]

// The tables of the domain's tests, in `packages/domain/test/auction`, have the cases of these pages.
describe.each(scripted)('the page $name', ({ name }) => {
  const page = readPage(`how-to/${name}.md`)

  test('has a script that prints what its last comment shows', async () => {
    const script = join(import.meta.dirname, 'scripts', `${name}.ts`)
    const { stdout } = await runChild(process.execPath, ['--conditions=@auction/source', script])
    const [, shown = ''] = readFileSync(script, 'utf8').split('\n// Prints:\n')
    expect(stdout).toBe(shown.replaceAll(/^\/\/ /gm, ''))
  })

  test('names each code with its status', () => {
    // The cast: a code that does not exist fails the test.
    for (const [, status, code] of page.matchAll(/\b([45]\d\d) `([a-z-]+)`/g)) {
      expect([code, problemType(code as ProblemCode).status]).toEqual([code, Number(status)])
    }
  })
})
