import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from '../../../tools/vitest/child.ts'
import { listen } from '../../../tools/vitest/listen.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { sampleOf } from '../../../tools/vitest/size.ts'
import { clientOf, newAuction } from './support/client.ts'
import { runHere } from './support/command.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { logLines, startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { jsonHeaders, secret } from './support/tokens.ts'

/** The lines of the trial output for a shell: variables and commands. */
const shellLinesIn = (text: string) => [...text.matchAll(/^ +(\w+=.*|curl .*)$/gm)].map(([, line]) => line ?? '')

const trials: readonly [what: string, environment: Readonly<Record<string, string>>][] = [
  [
    'with many settings',
    {
      ...{ HOST: '0.0.0.0', PERMISSIONS_AUCTIONS_READ: 'a', PERMISSIONS_BIDS_READ: 'b' },
      ...{ SERVICE_NAME: 'acme', JWT_ISSUER: "it's me", JWT_AUDIENCE: 'auctions' },
      ...{ JWT_PERMISSION_CLAIMS: '/realm_access/roles,scope', JWT_SUBJECT_CLAIM: '/realm_access/uid' },
    },
  ],
  ['on localhost', { HOST: 'localhost' }],
  ['with users bound to tokens', { JWT_SUBJECT_CLAIM: 'uid' }],
]

test.each(sampleOf(trials))(
  'without a key, the printed commands return 201 in their order: %s',
  async (_, environment) => {
    const server = await startServerProcess(environment)
    await server.until(/until this process ends/)
    const lines = shellLinesIn(server.stdout())
    // Each token is printed once for the shell, and once in a link to the page.
    const tokens = lines.flatMap((line) => /^\w*TOKEN=(.*)/.exec(line)?.[1] ?? [])
    const linked = [...server.stdout().matchAll(/^ {2}http:.*\/#token=([^&]+)&user=\d$/gm)].map(([, token]) => token)
    expect(linked).toEqual(tokens)
    expect(server.stdout().match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toHaveLength(2 * tokens.length)
    const { stdout } = await runChild('bash', ['-c', lines.join('\n')])
    expect(stdout.match(/HTTP\/1\.1 \d+/g)).toEqual(Array.from({ length: 5 }, () => 'HTTP/1.1 201'))
    server.child.kill('SIGTERM')
    expect(await server.exited()).toBe(0)
    // One stream has the text, the other the log.
    expect(server.stdout()).toMatch(
      /^The auction service listens on .*\nStore: SQLite file .*: kept after the process ends\n/,
    )
    if (environment['HOST'] === '0.0.0.0') {
      expect(server.stdout()).toContain(`listens on all interfaces of this machine, for example ${server.url}\n`)
    }
    expect(server.stdout()).not.toMatch(/^\{/m)
    expect(logLines(server.stderr()).map(({ msg, status }) => msg ?? status)).toEqual([
      ...[201, 201, 201, 201, 201],
      ...['closing', 'closed'],
    ])
  },
)

test('the README quotes the beginning and the end of the trial output exactly', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const [shown = ''] = /^The auction service listens on [^`]*/m.exec(readme) ?? []
  const folder = temporaryFolder()
  const words = (text: string) =>
    text
      .replaceAll(folder, '/home/you/auction-service')
      .replaceAll(/eyJ[\w.…-]+/g, 'TOKEN')
      .replaceAll(/-d '.*'/g, '-d BODY')
      .replaceAll(/(127\.0\.0\.1):\d+/g, '$1')
  const server = await startServerProcess({}, { folder })
  await server.until(/until this process ends/)
  // The README leaves out the commands after the bid.
  const [beginning = '', end = ''] = words(shown).split('…\n')
  const printed = words(server.stdout())
  expect(printed.slice(0, beginning.length)).toBe(beginning)
  expect(printed.slice(-end.length)).toBe(end)
})

test.each(sampleOf(['SIGTERM', 'SIGINT'] as const))(
  'with a key, standard output has only log lines, and after %s requests in flight complete',
  async (signal) => {
    const folder = temporaryFolder()
    const server = await startServerProcess({ JWT_SECRET: secret }, { folder })
    const [connection, idle] = [await rawConnection(server.port), await rawConnection(server.port)]
    const headers = { ...jsonHeaders, expect: '100-continue' }
    const bytes = requestBytes('POST', '/api/Auctions', headers, JSON.stringify(newAuction))
    const body = bytes.indexOf('{')
    connection.write(bytes.slice(0, body))
    // The server requests the body after it has accepted the request.
    await connection.until(/100 Continue/)
    server.child.kill(signal)
    await server.until(/"msg":"closing"/)
    connection.write(bytes.slice(body))
    expect(statusesIn(await connection.ended())).toEqual([100, 201])
    await idle.ended()
    expect(await server.exited()).toBe(0)
    expect(logLines(server.stdout())).toMatchObject([
      {
        level: 30,
        msg: 'listening',
        url: `http://127.0.0.1:${server.port}`,
        store: `SQLite file ${join(folder, 'data', 'auctions.sqlite')}: kept after the process ends`,
        keyFile: join(folder, 'data', 'auctions.sqlite.sealed-bids-key'),
      },
      { level: 30, msg: 'closing', signal },
      { level: 30, method: 'POST', status: 201 },
      { level: 30, msg: 'closed', ms: expect.any(Number) },
    ])
    expect(server.stdout()).not.toMatch(/eyJ|curl/)
    expect(server.stderr()).toBe('')
  },
)

longTest('with a key, the log reports that all interfaces are served', async () => {
  const server = await startServerProcess({ HOST: '0', JWT_SECRET: secret })
  expect(logLines(server.stdout())).toMatchObject([{ msg: 'listening on all interfaces', url: server.url }])
})

test('an uncaught error is logged before the process exits with code 1', async () => {
  const failing = 'data:text/javascript,process.once("SIGUSR2", () => { throw new Error("uncaught by the service") })'
  const environment = { JWT_SECRET: secret, STORE: 'memory', RATE_LIMIT_MAXIMUM: '5' }
  const server = await startServerProcess({ ...environment, NODE_OPTIONS: `--import=${encodeURI(failing)}` })
  server.child.kill('SIGUSR2')
  expect(await server.exited()).toBe(1)
  expect(logLines(server.stdout())).toMatchObject([
    // A variable similar to a setting.
    { level: 40, msg: expect.stringContaining('RATE_LIMIT_MAXIMUM') },
    { level: 30, msg: 'listening', store: 'in-memory: kept until the process ends' },
    { level: 60, err: { type: 'Error', message: 'uncaught by the service' } },
    { level: 30, msg: 'closed' },
  ])
})

longTest('SIGUSR1 neither opens a debugger nor ends the process', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret })
  server.child.kill('SIGUSR1')
  for (let count = 0; count < 20; count++) expect((await clientOf(server).createAuction()).status).toBe(201)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  // A debugger prints its address there.
  expect(server.stderr()).toBe('')
})

/** A port on which this process listens. It accepts connections, and sends nothing. */
const usedPort = async (): Promise<string> => String(await listen(createServer()))

const inUse = (names: string, port: string, setting: string) =>
  `${names}: cannot listen on 127.0.0.1:${port}: the address is already in use; stop the other program or choose another ${setting}\n`

test('invalid settings end the start with code 1, and one line each', async () => {
  const environment = { JWT_SECRET: 'short', RATE_LIMIT_MAX: '0', LOG_LEVEL: 'loud' }
  const { code, stdout, stderr } = await runHere([], environment)
  const names = stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0])
  expect([code, stdout, names.sort()]).toEqual([1, '', ['JWT_SECRET', 'LOG_LEVEL', 'RATE_LIMIT_MAX']])
})

test('an address in use ends the start with code 1 and one line', async () => {
  const port = await usedPort()
  expect(await runHere([], { ADMIN_PORT: port, JWT_SECRET: secret, STORE: 'memory' })).toEqual({
    ...{ code: 1, stdout: '', stderr: inUse('ADMIN_HOST, ADMIN_PORT', port, 'ADMIN_PORT') },
  })
  // It does not wait for a store that may become available.
  const MONGODB_URI = 'mongodb://127.0.0.1:1/auctions?serverSelectionTimeoutMS=100'
  expect(await runHere([], { PORT: port, JWT_SECRET: secret, MONGODB_URI, STORE_WAIT_SECONDS: '3600' })).toEqual({
    ...{ code: 1, stdout: '', stderr: inUse('HOST, PORT', port, 'PORT') },
  })
})

longTest('a signal after a failed start does not change its code', async () => {
  const port = await usedPort()
  const server = startProcess({ PORT: port, JWT_SECRET: secret, MONGODB_URI: `mongodb://127.0.0.1:${port}/auctions` })
  await expect.poll(server.stderr).toContain('the address is already in use')
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(1)
})

test('an unavailable store ends the start with code 1 and one line, without the password', async () => {
  const MONGODB_URI = 'mongodb://anna:hunter2@127.0.0.1:1/auctions?serverSelectionTimeoutMS=100'
  const { code, stderr } = await runHere([], { MONGODB_URI, JWT_SECRET: secret, STORE_WAIT_SECONDS: '1' })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^MONGODB_URI: MongoDB at 127.0.0.1:1 cannot be used: .*; the store was not available within 1 s \(STORE_WAIT_SECONDS\)\n$/,
  )
  expect(stderr).not.toContain('hunter2')
})

test('a second signal ends the process immediately', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, STORE: 'memory' })
  const connection = await rawConnection(server.port)
  const headers = { ...jsonHeaders, 'content-length': '9', expect: '100-continue' }
  connection.write(requestBytes('POST', '/api/Auctions', headers))
  await connection.until(/100 Continue/)
  server.child.kill('SIGTERM')
  await server.until(/"msg":"closing"/)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(1)
  expect(logLines(server.stdout()).at(-1)).toMatchObject({ level: 50, msg: 'second SIGTERM, exiting' })
})
