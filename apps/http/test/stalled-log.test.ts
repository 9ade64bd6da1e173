import { expect, test } from 'vitest'
import { maxWaitingBytes } from '../src/log/open-log.ts'
import { openLogPipe } from './support/log-pipe.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startProcess } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

// Enough for lines that are twice as long, together, as all that may wait.
const requestCount = 4_000
const longPath = `/${'x'.repeat(600)}`
// What an operating system keeps in a pipe, and `cat` in its hands.
const readersBytes = 256 * 1024

const linesOf = (text: string) => text.trimEnd().split('\n')

/** A server whose log goes into a pipe, and which has answered many requests since the pipe's reader was halted. */
async function serverWithStalledLog() {
  const log = await openLogPipe()
  const server = startProcess({ JWT_SECRET: secret }, { stdout: log.fd })
  log.handOver()
  await log.until(/"msg":"listening"/)
  const port = Number(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(log.text())?.[1])
  const linesBefore = linesOf(log.text()).length
  log.halt()
  for (let sent = 0; sent < requestCount; sent += 100) {
    const asking = Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}${longPath}`))
    for (const answer of await Promise.all(asking))
      expect([answer.status, (await answer.text()).length > 0]).toEqual([404, true])
  }
  return { log, server, port, linesBefore }
}

test('a reader of the log that stalls costs bounded memory, and hears how many lines it has missed', async () => {
  const { log, server, port, linesBefore } = await serverWithStalledLog()
  log.resume()
  await log.until(/"dropped":\d+.*\n/)
  const told = linesOf(log.text()).slice(linesBefore)
  const [notice] = told.splice(-1)
  const { dropped, level } = JSON.parse(notice ?? '')
  expect(level).toBe(40)
  expect(dropped).toBeGreaterThan(0)
  expect(told.length + dropped).toBe(requestCount)
  expect(told.join('\n').length).toBeLessThan(maxWaitingBytes + readersBytes)

  // And the log goes on.
  const connection = await rawConnection(port)
  connection.write(requestBytes('GET', '/afterwards', { connection: 'close' }))
  await connection.ended()
  server.child.kill('SIGTERM')
  await log.ended()
  expect(await server.exited()).toBe(0)
  const end = linesOf(log.text()).slice(-3)
  expect(end[0]).toContain('"path":"/afterwards"')
  expect(end[1]).toContain('"msg":"closing"')
  expect(end[2]).toMatch(/"ms":\d+,"msg":"closed"/)
  expect(server.stderr()).toBe('')
})

test('SIGTERM ends the process with code 0 though nobody reads its log', async () => {
  const { server } = await serverWithStalledLog()
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

test('a reader of the log that has gone does not end the process', async () => {
  const { log, server, port } = await serverWithStalledLog()
  await log.leave()
  const connection = await rawConnection(port)
  connection.write(requestBytes('GET', '/afterwards', { connection: 'close' }))
  expect(statusesIn(await connection.ended())).toEqual([404])
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})
