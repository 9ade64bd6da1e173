import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { type Receiver, startReceiver } from '../../../../tools/vitest/receiver.ts'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { openAuction, runningNow } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret as JWT_SECRET, webhookSecret as WEBHOOK_SECRET } from '../support/tokens.ts'

// A replay must show the same bidders as the server.
const PSEUDONYM_SECRET = 'a secret for pseudonyms, of 32 bytes'
const environmentFor = ({ url }: Pick<Receiver, 'url'>) => ({
  JWT_SECRET,
  PSEUDONYM_SECRET,
  WEBHOOK_URL: url,
  WEBHOOK_SECRET,
})

type Environment = Readonly<Record<string, string>>

const replay = (args: readonly string[], environment: Environment, folder = temporaryFolder()) =>
  runHere(['--replay', ...args], environment, folder)

/** The times at which two auctions were created, with a bid on each; and what the endpoint received. */
async function twoAuctions(receiver: Receiver) {
  const folder = temporaryFolder()
  const server = await startServerProcess(environmentFor(receiver), { folder })
  const times: string[] = []
  for (let count = 0; count < 2; count++) {
    const auction = await openAuction(server, runningNow())
    await auction.placeBid({ amount: 100 })
    const { createdAt } = await auction.read()
    times.push(createdAt)
    // The next one has a later time.
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(createdAt))
  }
  return { folder, times, received: await receiver.received(4) }
}

test('--replay posts the events of an auction or of a time again, while a server runs', async () => {
  const receiver = await startReceiver()
  const { folder, times, received } = await twoAuctions(receiver)
  const environment = environmentFor(receiver)
  const bodies = received.map(({ body }) => body).toSorted()

  expect(await replay(['1'], environment, folder)).toEqual({
    code: 0,
    stdout: 'default: 2 events delivered\n',
    stderr: '',
  })
  const again = receiver.messages.slice(4)
  expect(again.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1_0', 'evt_1_1'])
  expect(bodies).toEqual(expect.arrayContaining(again.map(({ body }) => body)))
  const verifier = new Webhook(WEBHOOK_SECRET)
  // The cast: Node gives each of these headers once.
  for (const { headers, body } of again) verifier.verify(body, headers as Record<string, string>)

  const [first = '', second = ''] = times
  expect((await replay([first], environment, folder)).stdout).toBe('default: 4 events delivered\n')
  expect((await replay([second], environment, folder)).stdout).toBe('default: 2 events delivered\n')
  expect((await replay([`${first}/${first}`], environment, folder)).stdout).toBe('default: 1 event delivered\n')
  expect(receiver.messages).toHaveLength(4 + 2 + 4 + 2 + 1)
  expect(receiver.messages.at(-1)?.body).toBe(again[0]?.body)
})

longTest('--webhook chooses an endpoint', async () => {
  const receiver = await startReceiver()
  const { folder } = await twoAuctions(receiver)
  const search = await startReceiver()
  const WEBHOOKS = JSON.stringify([
    { name: 'default', url: receiver.url, secret: WEBHOOK_SECRET },
    { name: 'search', url: search.url, secret: WEBHOOK_SECRET, events: ['auction.bid'] },
  ])
  const environment = { JWT_SECRET, WEBHOOKS }
  expect(await replay(['1', '--webhook', 'search'], environment, folder)).toMatchObject({
    code: 0,
    stdout: 'search: 1 event delivered\n',
  })
  expect(receiver.messages).toHaveLength(4)
  expect((await replay(['2'], environment, folder)).stdout).toBe(
    'default: 2 events delivered\nsearch: 1 event delivered\n',
  )
  expect((await replay(['1', '--webhook', 'mail'], environment, folder)).stderr).toBe(
    '--webhook: must be one of default, search\n',
  )
})

const endpoint = environmentFor({ url: 'http://127.0.0.1:1/' })

const refused: readonly [args: readonly string[], environment: Environment, line: RegExp][] = [
  [['x'], endpoint, /^--replay: must be the id of an auction, a time .*\n$/],
  [['0'], endpoint, /^--replay: must be /],
  [['2030-01-31'], endpoint, /^--replay: must be /],
  [['1'], { JWT_SECRET }, /^--replay: no endpoint is configured; set WEBHOOK_URL or WEBHOOKS\n$/],
  [['2030-01-31T12:00:00Z/'], endpoint, /^--replay: must be /],
  [['2030-01-31T12:00:00Z/2030-01-31T12:00:00Z/2030-01-31T12:00:00Z'], endpoint, /^--replay: must be /],
  [['1'], { ...endpoint, STORE: 'memory' }, /^--replay: cannot be used with STORE=memory: .*\n$/],
  [['1'], { JWT_SECRET: 'short' }, /^JWT_SECRET .*\n$/],
  [['1'], { ...endpoint, SQLITE_FILE: '/dev/null' }, /^SQLITE_FILE: .*\n$/],
  [['1'], endpoint, /^SQLITE_FILE: the file data\/auctions\.sqlite does not exist\n$/],
]

test.each(sampleOf(refused))('--replay %j exits with code 1 and one line', async (args, environment, line) => {
  const folder = temporaryFolder()
  const { code, stderr } = await replay(args, environment, folder)
  expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
  expect(readdirSync(folder)).toEqual([])
})

longTest('--replay of an unknown auction names it', async () => {
  const folder = temporaryFolder()
  await (await openSqliteStore(join(folder, 'data', 'auctions.sqlite'))).close()
  expect(await replay(['99'], endpoint, folder)).toMatchObject({
    code: 1,
    stderr: 'default: auction 99 does not exist or cannot be read\n',
  })
})

test('--webhook without --replay is refused', async () => {
  const { code, stderr } = await runHere(['--webhook', 'default'], endpoint)
  expect([code, stderr]).toEqual([1, '--webhook: requires --replay; see --help\n'])
})
