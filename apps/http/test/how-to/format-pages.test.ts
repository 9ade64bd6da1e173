import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ProblemCode, problemType } from '../../src/api/responses/refusals.ts'
import { followPage, openShell, readPage } from '../support/page.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/server-process.ts'
import {
  correcting,
  secret as JWT_SECRET,
  managing,
  permissions,
  registering,
  reserveReader,
  saleManaging,
  tokenOf,
} from '../support/tokens.ts'

type Page = {
  readonly name: string
  readonly environment?: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
  /** When its auctions are over, if not at once. */
  readonly endTime?: string
}

const variables = { AUCTIONS_TOKEN: tokenOf('anna') }
const bound = { JWT_SUBJECT_CLAIM: 'uid' }
const usersOfPage = {
  SELLER: tokenOf('seller', { uid: 1 }),
  ANNA: tokenOf('anna', { uid: 2 }),
  BEN: tokenOf('ben', { uid: 3 }),
}
const staff = tokenOf('staff', { uid: 9, permissions: [managing, ...registering] })
const pages: readonly Page[] = [
  { name: 'keep-metadata', variables },
  {
    name: 'admit-bidders',
    environment: { ...bound, JWT_ADMISSION_CLAIM: 'registers' },
    variables: { ...usersOfPage, STAFF: staff, JWT_SECRET },
  },
  { name: 'block-a-bidder', environment: bound, variables: { ...usersOfPage, STAFF: staff } },
  {
    name: 'offer-a-second-chance',
    environment: bound,
    variables: { ...usersOfPage, CARL: tokenOf('carl', { uid: 4 }), STAFF: staff },
  },
  { name: 'bid-by-maximum', variables },
  { name: 'cancel-an-auction', variables },
  {
    name: 'correct-an-auction',
    variables: { AUCTIONS_TOKEN: tokenOf('moderator', { permissions: [...permissions, correcting] }) },
  },
  { name: 'extend-late-auctions', variables },
  {
    name: 'run-a-sale',
    environment: bound,
    variables: {
      ANNA: tokenOf('anna', { uid: 101 }),
      BEN: tokenOf('ben', { uid: 102 }),
      STAFF: tokenOf('clerk', { uid: 9, permissions: [saleManaging, reserveReader, ...registering] }),
      EXAMPLES: join(import.meta.dirname, '../../../../docs/how-to/examples'),
    },
    endTime: '2030-02-10T00:00:00Z',
  },
  { name: 'sell-at-once', variables },
  { name: 'sell-at-a-falling-price', variables },
  {
    name: 'sell-by-sealed-bids',
    environment: bound,
    variables: { ...usersOfPage, STAFF: staff },
  },
  { name: 'set-a-reserve', variables },
  { name: 'set-increments', variables },
]

test.each(pages)(
  'the page $name prints what its commands print',
  async ({ name, environment = {}, variables, endTime }) => {
    const { url, clock, service } = await startServer({ environment })
    const shell = openShell({ AUCTIONS_URL: url, ...variables })
    await shell.run(`cd '${temporaryFolder()}'`)
    await followPage(readPage(`how-to/${name}.md`), shell, async ({ waits }) => {
      if (!waits) return
      if (endTime === undefined) clock.advance(10_000)
      else clock.set(endTime)
      await service.closeDue()
    })
  },
)

const named = [...pages, { name: 'repair-a-running-auction' }]
const withoutScript = ['keep-metadata', 'block-a-bidder']
const scripted = named.filter(({ name }) => !withoutScript.includes(name))

// The tables of the domain's tests, in `packages/domain/test`, have the cases of these pages.
test.each(scripted)('the page $name has a script that prints what its last comment shows', async ({ name }) => {
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

test.each(named)('the page $name names each code with its status', ({ name }) => {
  // The cast: a code that does not exist fails the test.
  for (const [, status, code] of readPage(`how-to/${name}.md`).matchAll(/\b([45]\d\d) `([a-z-]+)`/g)) {
    expect([code, problemType(code as ProblemCode).status]).toEqual([code, Number(status)])
  }
})
