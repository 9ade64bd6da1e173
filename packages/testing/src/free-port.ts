import { once } from 'node:events'
import { createServer } from 'node:net'

// Systems give the ports above 32,767 to connections and to servers that listen on port 0: tests start thousands of
// these, and one could get a port between the check here and the start of the program that needs it. Ports below it are
// not given to anyone.
const firstPort = 16_384
const portsOfWorker = 512
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 32
let next = process.pid % portsOfWorker

/**
 * A port of 127.0.0.1 on which no program listens, and that no other test of this run gets, for a program that keeps it
 * after a restart.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsOfWorker; tries++) {
    next = (next + 1) % portsOfWorker
    const port = firstPort + worker * portsOfWorker + next
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await once(server.close(), 'close')
  return isListening
}
