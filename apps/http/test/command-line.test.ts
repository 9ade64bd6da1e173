import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { describeMongo, ownDatabase } from '../../../tools/vitest/mongodb.ts'
import { sampleOf } from '../../../tools/vitest/size.ts'
import { settings } from '../src/configuration/settings.ts'
import { clientOf } from './support/client.ts'
import { runHere } from './support/command.ts'
import { jsonResponse, keySetServer } from './support/key-set-server.ts'
import { startServer } from './support/server.ts'
import { startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { correctingOwn, permissions, secret } from './support/tokens.ts'

type Environment = Readonly<Record<string, string>>

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('--help and --version', () => {
  test('help lists every command and every setting, and creates no files', async () => {
    const folder = temporaryFolder()
    const child = startProcess({}, { folder, args: ['--', '--help'] })
    expect([await child.exited(), child.stderr(), readdirSync(folder)]).toEqual([0, '', []])
    for (const name of [...Object.keys(settings.entries), 'CONFIG_FILE', '--check', '--expires-in']) {
      expect(child.stdout()).toContain(name)
    }
    expect(
      Math.max(
        ...child
          .stdout()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(140)
    for (const args of [['-h'], ['token', '--help']]) {
      expect(await runHere(args)).toEqual({ code: 0, stdout: child.stdout(), stderr: '' })
    }
  })

  test.each(sampleOf(['--version', '-v']))('%s prints the version of the package', async (option) => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await runHere([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

const unknown: readonly (readonly [args: readonly string[], line: RegExp])[] = [
  [['--chekc'], /^Unknown option '--chekc'.*--help/],
  [['-x'], /^Unknown option '-x'.*--help/],
  [['--check=yes'], /^Option '--check' does not take an argument.*--help/],
  [['serve'], /^Unknown command "serve"; .*"token"/],
  [['token', '--subjekt', 'anna'], /^Unknown option '--subjekt'.*--help/],
  [['token', 'anna'], /^Unexpected argument 'anna'.*--help/],
  [['token', '--subject'], /^Option '--subject <value>' argument missing.*--help/],
]

test.each(sampleOf(unknown))('an unknown command or option is refused with one line: %j', async (args, line) => {
  const { code, stdout, stderr } = await runHere(args, { JWT_SECRET: secret })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(line)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

describeMongo('--upgrade', () => {
  test('upgrades data of format 3, and has nothing to do after that', async () => {
    const { uri, drop } = ownDatabase()
    const client = new MongoClient(uri)
    onTestFinished(async () => {
      await client.close()
      await drop()
    })
    await client
      .db()
      .collection<{ _id: string }>('format')
      .insertOne({ _id: 'format', ...{ version: 3 } })
    const done = 'Upgraded 0 auctions and 0 entries. Servers of this version can start.\n'
    expect(await runHere(['--upgrade'], { MONGODB_URI: uri })).toEqual({ code: 0, stdout: done, stderr: '' })
    const nothing = 'Nothing to upgrade: the data has the format of this version.\n'
    expect(await runHere(['--upgrade'], { MONGODB_URI: uri })).toEqual({ code: 0, stdout: nothing, stderr: '' })
  })
})

test('--upgrade refuses a store that has no format to upgrade', async () => {
  const stderr = '--upgrade: SQLITE_FILE has no earlier format that can be upgraded\n'
  expect(await runHere(['--upgrade'])).toEqual({ code: 1, stdout: '', stderr })
})

describe('--check', () => {
  test('reports the address, the store and the key, and creates nothing', async () => {
    const folder = temporaryFolder()
    const { code, stdout, stderr } = await runHere(['--check'], { RATE_LIMIT_MAXIMUM: '5', PORT: '4000' }, folder)
    expect([code, stderr]).toEqual([0, ''])
    const file = join(folder, 'data', 'auctions.sqlite')
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Warning: .*RATE_LIMIT_MAXIMUM/),
      'Address: 127.0.0.1, port 4000',
      'Key of sealed bids: none; a start would create one next to the database',
      `Store: SQLite file ${file}, which a start would create`,
      'Token key: none; a start would create a random secret and print a token to try the service',
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  longTest('reports that a store exists, even while a server uses it', async () => {
    const folder = temporaryFolder()
    const server = await startServerProcess({ JWT_SECRET: secret }, { folder })
    const { code, stdout } = await runHere(['--check'], { JWT_SECRET: secret }, folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Store: SQLite file .*, which exists$/m)
    expect(stdout).toMatch(/^Token key: a secret \(HS256\) of \d+ bytes$/m)
    expect(stdout).not.toContain(secret)
    expect((await clientOf(server).createAuction()).status).toBe(201)
  })

  const jwk = JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }))

  test('refuses a JWK as the secret, as a start does', async () => {
    for (const args of [['--check'], []]) {
      const { code, stderr } = await runHere(args, { STORE: 'memory', JWT_SECRET: jwk })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^JWT_SECRET .*JWK.*\n$/)])
    }
  })

  test('reports the errors of the store and the key set together', async () => {
    const gone = await keySetServer(jsonResponse({ keys: [] }))
    await gone.stop()
    const environment = { POSTGRESQL_URI: 'postgresql://anna:hunter2@127.0.0.1:1/auctions', JWT_JWKS_URL: gone.url }
    const { code, stdout, stderr } = await runHere(['--check'], environment)
    expect([code, stdout]).toEqual([
      1,
      'Address: 127.0.0.1, port 0\nKey of sealed bids: none; sealed auctions are refused\n',
    ])
    expect(stderr).toMatch(
      /^POSTGRESQL_URI: .*ECONNREFUSED.*\nJWT_JWKS_URL: the key set at 127\.0\.0\.1:\d+ cannot be used: ECONNREFUSED\n$/,
    )
    expect(stderr).not.toContain('hunter2')
  })

  test('lists the keys of the key set', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const keySet = await keySetServer(jsonResponse({ keys: [publicKey.export({ format: 'jwk' })] }))
    const { code, stdout } = await runHere(['--check'], { STORE: 'memory', JWT_JWKS_URL: keySet.url })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Store: in-memory/m)
    expect(stdout).toMatch(/^Token key: a key set at 127\.0\.0\.1:\d+ with 1 key$/m)
    keySet.respondWith(jsonResponse({ keys: [] }))
    const empty = await runHere(['--check'], { STORE: 'memory', JWT_JWKS_URL: keySet.url })
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringMatching(/^JWT_JWKS_URL: .*has no keys\n$/)])
  })

  test('reads the file in CONFIG_FILE', async () => {
    const CONFIG_FILE = join(temporaryFolder(), 'auction.json')
    await writeFile(CONFIG_FILE, JSON.stringify({ STORE: 'memory', HOST: '127.0.0.2', JWT_SECRET: secret }))
    expect((await runHere(['--check'], { CONFIG_FILE })).stdout).toMatch(/^Address: 127\.0\.0\.2, port 0$/m)
  })
})

describe('token', () => {
  const settingsOfTokens = { JWT_SECRET: secret, JWT_ISSUER: 'me', JWT_AUDIENCE: 'auctions', JWT_SUBJECT_CLAIM: 'uid' }

  test.each<
    [what: string, environment: Environment, tokens: readonly (readonly [readonly string[], number, number])[]]
  >([
    [
      'of callers',
      {},
      [
        [[], 201, 201],
        [['--permissions', 'Auctions.Create'], 201, 403],
        [['--permissions', 'none'], 403, 403],
      ],
    ],
    ['of a user', settingsOfTokens, [[['--user', '1', '--permissions', 'Auctions.Create, Bids.Create'], 201, 403]]],
    [
      'of a user within a claim',
      { JWT_SUBJECT_CLAIM: '/app/user_id', JWT_PERMISSION_CLAIMS: '/app/roles' },
      [[['--user', '1', '--permissions', 'Auctions.Create, Bids.Create'], 201, 403]],
    ],
  ])('prints tokens that a server with the same settings accepts: %s', async (_what, environment, tokens) => {
    const given = { JWT_SECRET: secret, ...environment }
    const server = await startServer({ environment: given })
    for (const [args, ...statuses] of tokens) {
      const { code, stdout, stderr } = await runHere(['token', ...args], given)
      expect([code, stderr]).toEqual([0, ''])
      const client = clientOf(server, stdout.trimEnd())
      const responses = [await client.createAuction(), await client.placeBid()]
      expect([args, responses.map(({ status }) => status)]).toEqual([args, statuses])
    }
  })

  test('reports the subject, the permissions and the expiry', async () => {
    const atSeconds = Math.floor(Date.now() / 1000)
    const args = ['token', '--subject', 'anna', '--expires-in', '2d']
    const { stdout } = await runHere(args, { JWT_SECRET: secret })
    const { sub, exp, permissions: granted } = claimsOf(stdout)
    expect([sub, granted]).toEqual(['anna', permissions])
    // An owner is known only by this claim.
    const bound = await runHere(args, settingsOfTokens)
    expect(claimsOf(bound.stdout).permissions).toEqual([...permissions, correctingOwn])
    expect(exp).toBeGreaterThanOrEqual(atSeconds + 2 * 86_400)
    expect(exp).toBeLessThan(atSeconds + 2 * 86_400 + 60)
  })

  const refused: readonly [
    what: string,
    environment: Environment,
    args: readonly string[],
    lines: readonly RegExp[],
  ][] = [
    ['in production', { JWT_SECRET: secret, NODE_ENV: 'production' }, [], [/^token: .*NODE_ENV=production.*issuer/]],
    ['without a secret', {}, [], [/^JWT_SECRET: is not set; without it, the service prints/]],
    ['with a key set', { JWT_JWKS_URL: 'http://127.0.0.1:1/' }, [], [/^JWT_JWKS_URL: only verifies .*JWT_SECRET/]],
    ['with invalid settings', { JWT_SECRET: 'short' }, [], [/^JWT_SECRET \(environment\): /]],
    [
      'for a user without the name of the claim',
      { JWT_SECRET: secret },
      ['--user', '5'],
      [/^--user: requires JWT_SUBJECT_CLAIM/],
    ],
    [
      'for a subject that is the user',
      { JWT_SECRET: secret, JWT_SUBJECT_CLAIM: 'sub' },
      ['--subject', 'anna'],
      [/^--subject: JWT_SUBJECT_CLAIM is sub, whose value --user sets$/],
    ],
    [
      'with invalid options, each of which is reported',
      { JWT_SECRET: secret, JWT_SUBJECT_CLAIM: 'uid' },
      ['--subject', '', '--user', '0', '--permissions', 'Auctions.Delete', '--expires-in', '31d'],
      [
        /^--subject: /,
        /^--user: /,
        /^--permissions: must be one or more of Auctions\.Create, .*, or none$/,
        /^--expires-in: .*30d/,
      ],
    ],
  ]

  test.each(sampleOf(refused))('is refused %s', async (_what, environment, args, lines) => {
    const { code, stdout, stderr } = await runHere(['token', ...args], environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)))
  })
})
