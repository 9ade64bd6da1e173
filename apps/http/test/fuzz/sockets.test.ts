import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { exchange, requestBytes, statusesIn } from '../support/raw-connection.ts'
import { startServerProcess } from '../support/server-process.ts'
import { secret, tokenOf } from '../support/tokens.ts'
import { type CutConnection, cutConnection } from './cut-connection.ts'

// The short form sends one batch.
const seconds = isLong ? 20 : 0
const firstSeed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const batchSize = 60

/** The number of open files and sockets of a process. */
async function openDescriptors(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`
  if (existsSync(folder)) return readdirSync(folder).length
  return (await runChild('lsof', ['-p', String(pid)])).stdout.split('\n').length
}

/** Sends the data of a client, and resolves with its socket when all is sent. */
async function send({ pieces, leave }: CutConnection, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  // The server may end the connection first.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (leave !== 'abandon') socket.resume()
  for (const piece of pieces) {
    if (!socket.writable) break
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()))
  }
  return socket
}

/** Stops, and resolves when the connection has ended, whichever side ends it. */
async function leaveOff(socket: Socket, leave: CutConnection['leave']): Promise<void> {
  const closed = once(socket, 'close')
  if (leave === 'reset') socket.resetAndDestroy()
  else if (leave === 'close') socket.destroy()
  else if (leave === 'half-close') socket.end()
  if (!socket.readableEnded && !socket.destroyed && leave !== 'abandon') {
    await Promise.race([once(socket, 'end'), closed])
  }
  socket.destroy()
  if (!socket.closed) await closed
}

async function statusOfNewConnection(port: number): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${tokenOf('bert')}`, connection: 'close' }
  return statusesIn(await exchange(port, requestBytes('GET', '/api/Auctions?limit=1', headers)))
}

/** Runs a batch, and waits until the server has closed its sockets. */
async function attack(connections: readonly CutConnection[], { port, pid, descriptors }: Target): Promise<void> {
  await Promise.all(connections.map(async (cut) => leaveOff(await send(cut, port), cut.leave)))
  // Each round trip gives the server time to close abandoned connections.
  do {
    expect(await statusOfNewConnection(port)).toEqual([200])
  } while ((await openDescriptors(pid)) > descriptors)
}

type Target = { readonly port: number; readonly pid: number; readonly descriptors: number }

test(
  'whatever clients send, and wherever they stop, the server keeps running, responds, and closes its sockets',
  async () => {
    const server = await startServerProcess({
      JWT_SECRET: secret,
      RATE_LIMIT_MAX: '1000000000',
      REQUEST_TIMEOUT_SECONDS: '1',
      IDLE_TIMEOUT_SECONDS: '2',
    })
    const { port } = server
    const { pid } = server.child
    if (pid === undefined) throw new Error('a process that has started has an id')
    await statusOfNewConnection(port)
    const target = { port, pid, descriptors: await openDescriptors(pid) }

    const endMs = performance.now() + seconds * 1000
    let connections: readonly CutConnection[]
    for (let seed = firstSeed; ; seed++) {
      connections = fc.sample(cutConnection, { seed, numRuns: batchSize })
      try {
        await attack(connections, target)
      } catch (cause) {
        throw new Error(`replay it with: FUZZ_SEED=${seed} npx -y pnpm@12 fuzz:sockets`, { cause })
      }
      if (performance.now() >= endMs) break
    }

    // These stay open, except those with a body that the server would wait for.
    const left = connections.filter(({ pieces }) => !pieces.join('').includes(tokenOf('anna')))
    const sockets = await Promise.all(left.map((cut) => send(cut, port)))
    server.child.kill('SIGTERM')
    expect(await server.exited()).toBe(0)
    expect(server.stdout()).not.toMatch(/"level":[56]0/)
    expect(server.stderr()).toBe('')
    for (const socket of sockets) socket.destroy()
  },
  (seconds + 60) * 1000,
)
