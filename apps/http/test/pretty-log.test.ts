import { expect, test } from 'vitest'
import { anonymousOf } from './support/client.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

const esc = '\u001b'

// Makes a stream claim to be a terminal.
const terminal = (name: string) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import { WriteStream } from 'node:tty'; process.${name}.isTTY = true; process.${name}.hasColors = WriteStream.prototype.hasColors; process.${name}.getColorDepth = WriteStream.prototype.getColorDepth`,
  )}`

test.each([
  ['with colours', {}, `${esc}[32mINFO${esc}[39m: ${esc}[36mGET /nowhere 404 not-found`],
  ['without where NO_COLOR is set', { NO_COLOR: '1' }, ' INFO: GET /nowhere 404 not-found'],
])('on a terminal, the log is text, %s', async (_what, environment, line) => {
  const server = await startServerProcess({
    NODE_OPTIONS: terminal('stderr'),
    TERM: 'xterm-256color',
    ...environment,
  })
  await anonymousOf(server).get('/nowhere')
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  expect(server.stderr()).toContain(line)
  expect(server.stderr()).not.toContain('{"level"')
})

test('the stream of the log decides whether the log is text', async () => {
  const server = await startServerProcess({ NODE_OPTIONS: terminal('stderr'), JWT_SECRET: secret })
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
  expect(JSON.parse(server.stdout().split('\n')[0] ?? '')).toMatchObject({ msg: 'listening' })
})
