import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { type Answer, type Client, clientOf } from '../support/client.ts'
import { casesOf, followPage, readPage } from '../support/page.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openShell } from '../support/shell.ts'
import { tokenOf } from '../support/tokens.ts'

/**
 * Runs a case of a page's table and checks its effects. Returns the responses in the order of the table. For concurrent requests, the
 * table has the possible responses, separated by `or`.
 */
type Case = () => Promise<Answer | readonly Answer[]>

/**
 * Tests a page about a format: its table has exactly these cases and their responses, its commands print the text on the page, and its
 * script of the same name prints its last comment. The commands use the token. A case that the page leaves to the reference has its
 * response after a colon.
 */
export function testFormatPage(name: string, cases: Readonly<Record<string, Case>>, token = tokenOf('anna')): void {
  const page = readPage(`how-to/${name}.md`)
  const rows = casesOf(page)
  const onPage = Object.keys(cases).filter((title) => !title.includes(': '))
  const others = Object.keys(cases).filter((title) => title.includes(': '))

  describe(`docs/how-to/${name}.md`, () => {
    test('has a row for each case without a response here, and no other', () => {
      expect(rows.map(({ when }) => when)).toEqual(onPage)
    })

    const tested = [...rows, ...others.map((title) => ({ when: title, answer: title.split(': ')[1] ?? '' }))]
    test.each(tested)('$when: $answer', async ({ when, answer }) => {
      const answers = [await cases[when]?.()].flat()
      expect(answer.split(' or ')).toContain(answers.map(textOf).join(', '))
    })

    test('prints what its commands print', async () => {
      const { url } = await startServer()
      await followPage(page, openShell({ AUCTIONS_URL: url, AUCTIONS_TOKEN: token }))
    })

    test('has a script that prints what its last comment shows', async () => {
      const script = join(import.meta.dirname, 'scripts', `${name}.ts`)
      const { stdout } = await runChild(process.execPath, ['--conditions=@auction/source', script])
      const [, shown = ''] = readFileSync(script, 'utf8').split('\n// Prints:\n')
      expect(stdout).toBe(shown.replaceAll(/^\/\/ /gm, ''))
    })
  })
}

const textOf = (answer: Answer | undefined): string =>
  answer === undefined || answer.status < 400 ? String(answer?.status) : `${answer.status} \`${answer.body.code}\``

export type Scene = TestServer & {
  /** A caller with all permissions. */
  readonly anna: Client
  /** Bids on the auction. */
  bid(bidderId: number, amount: number, maximumAmount?: number): Promise<Answer>
  /** Reads the auction. */
  auction(): Promise<Answer['body']>
  /** Its bids, the oldest first: the bidder, the amount, and `auto` for automatic bids. */
  bids(): Promise<readonly string[]>
  /** Moves the clock past its end and closes it. */
  end(): Promise<void>
}

/** A server with auction 1, which runs from 2030-01-31T11:00:00Z to 2030-02-07T12:00:00Z by default. */
export async function openScene(fields: object = {}): Promise<Scene> {
  const server = await startServer()
  const anna = clientOf(server)
  const created = await anna.createAuction(fields)
  if (created.status !== 201) throw new Error(created.text)
  return {
    ...server,
    anna,
    bid: (bidderId, amount, maximumAmount) =>
      anna.placeBid({ bidderId, amount, ...(maximumAmount !== undefined && { maximumAmount }) }),
    auction: async () => (await anna.get('/api/Auctions/1')).body.data,
    async bids() {
      const { items } = (await anna.get('/api/Auctions/1/Bids?limit=100')).body.data
      return items
        .map(({ bidderId, amount, automatic }: Answer['body']) => `${bidderId}: ${amount}${automatic ? ' auto' : ''}`)
        .toReversed()
    },
    async end() {
      server.clock.set('2030-03-01T00:00:00Z')
      await server.service.closeDue()
    },
  }
}

/** A server that binds callers to users, with a client for each user. */
export async function openBoundServer(): Promise<{ readonly server: TestServer; clientOfUser(uid: number): Client }> {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
  return { server, clientOfUser: (uid) => clientOf(server, tokenOf(`user-${uid}`, { uid })) }
}
