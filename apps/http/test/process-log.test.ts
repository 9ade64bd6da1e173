import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { maxWaitingLength } from '@auction/host/log'
import { expect, test } from 'vitest'
import { runChild, startChild } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { anonymousOf } from './support/client.ts'
import { exchange, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

const longPath = `/${'x'.repeat(600)}`
// The buffers of the pipe and of its reader.
const readersBytes = 256 * 1024
// These requests fill the buffers.
const fillingRequests = 600
// The lines of these requests are twice the limit of waiting lines.
const droppingRequests = 4_000

const linesOf = (text: string) => text.trimEnd().split('\n')

/** A pipe for the standard output of a process, whose reader a test can pause. */
type LogPipe = {
  /** The end to write to, for a child process. */
  readonly fd: number
  /** Closes this end; call it once the child process has the pipe. */
  handOver(): void
  halt(): void
  resume(): void
  text(): string
  until(pattern: RegExp): Promise<unknown>
  /** Ends the reader. */
  leave(): Promise<void>
  /** Waits until the pipe has no writer and everything is read. */
  ended(): Promise<void>
}

/** Creates an operating-system pipe: Node gives its children sockets, which behave differently. */
async function openLogPipe(): Promise<LogPipe> {
  const path = join(temporaryFolder(), 'pipe')
  await runChild('mkfifo', [path])
  // For reading too, so that opening it does not wait for a reader.
  const fd = openSync(path, constants.O_RDWR)
  const { child, stdout, until, kill, exited } = startChild('cat', [path])
  return {
    fd,
    handOver: () => closeSync(fd),
    halt: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    text: stdout,
    until,
    leave: kill,
    async ended() {
      await exited()
    },
  }
}

/** A server whose log goes to a pipe, and which has served requests since the reader of the pipe stopped. */
async function serverWithStalledLog(requestCount: number) {
  const log = await openLogPipe()
  const server = startProcess({ JWT_SECRET: secret }, { stdout: log.fd })
  log.handOver()
  await log.until(/"msg":"listening"/)
  const port = Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(log.text())?.[1])
  const linesBefore = linesOf(log.text()).length
  log.halt()
  for (let sent = 0; sent < requestCount; sent += 100) {
    const asking = Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}${longPath}`))
    for (const response of await Promise.all(asking))
      expect([response.status, (await response.text()).length > 0]).toEqual([404, true])
  }
  return { log, server, port, linesBefore }
}

longTest('a stalled reader of the log costs bounded memory, and the log has the number of dropped lines', async () => {
  const { log, server, port, linesBefore } = await serverWithStalledLog(droppingRequests)
  log.resume()
  await log.until(/"dropped":\d+.*\n/)
  const lines = linesOf(log.text()).slice(linesBefore)
  const [notice] = lines.splice(-1)
  const { dropped, level } = JSON.parse(notice ?? '')
  expect(level).toBe(40)
  expect(dropped).toBeGreaterThan(0)
  expect(lines.length + dropped).toBe(droppingRequests)
  expect(lines.join('\n').length).toBeLessThan(maxWaitingLength + readersBytes)

  // Later lines are written.
  await exchange(port, requestBytes('GET', '/afterwards', { connection: 'close' }))
  server.child.kill('SIGTERM')
  await log.ended()
  expect(await server.exited()).toBe(0)
  const end = linesOf(log.text()).slice(-3)
  expect(end[0]).toContain('"path":"/afterwards"')
  expect(end[1]).toContain('"msg":"closing"')
  expect(end[2]).toMatch(/"ms":\d+,"msg":"closed"/)
  expect(server.stderr()).toBe('')
})

longTest('SIGTERM ends the process with code 0, even if the log has no reader', async () => {
  const { server } = await serverWithStalledLog(fillingRequests)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

test('the process continues when the reader of its log ends', async () => {
  const { log, server, port } = await serverWithStalledLog(fillingRequests)
  await log.leave()
  expect(statusesIn(await exchange(port, requestBytes('GET', '/afterwards', { connection: 'close' })))).toEqual([404])
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

const esc = '\u001b'

// Makes a stream claim to be a terminal.
const terminal = (name: string) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import { WriteStream } from 'node:tty'; process.${name}.isTTY = true; process.${name}.hasColors = WriteStream.prototype.hasColors; process.${name}.getColorDepth = WriteStream.prototype.getColorDepth`,
  )}`

async function logsOnTerminal(environment: Readonly<Record<string, string>>) {
  const server = await startServerProcess({ NODE_OPTIONS: terminal('stderr'), TERM: 'xterm-256color', ...environment })
  await anonymousOf(server).get('/nowhere')
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  expect(server.stderr()).not.toContain('{"level"')
  return server
}

test('on a terminal, the log is text, with colours', async () => {
  const { stderr } = await logsOnTerminal({})
  expect(stderr()).toContain(`${esc}[32mINFO${esc}[39m: ${esc}[36mGET /nowhere 404 not-found`)
})

longTest('on a terminal, the log has no colours where NO_COLOR is set', async () => {
  const { stderr } = await logsOnTerminal({ NO_COLOR: '1' })
  expect(stderr()).toContain(' INFO: GET /nowhere 404 not-found')
})

longTest('the stream of the log decides whether the log is text', async () => {
  const { stdout } = await logsOnTerminal({ JWT_SECRET: secret })
  expect(JSON.parse(stdout().split('\n')[0] ?? '')).toMatchObject({ msg: 'listening' })
})
