import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onCore } from '../http/cores.ts'
import { freePort } from '../measure/free-port.ts'

const startTimeoutMs = 10_000
const programs = ['redis-server', 'valkey-server']

type Redis = { readonly url: string; stop(): Promise<void> }

/** A Redis server that keeps nothing, on the core of the load; or what is missing for one. */
export async function startRedis(): Promise<Redis | { readonly missing: string }> {
  for (const program of programs) {
    const redis = await startProgram(program)
    if (redis !== undefined) return redis
  }
  return { missing: `neither ${programs.join(' nor ')} is installed` }
}

/** Undefined when the program is not installed. */
async function startProgram(program: string): Promise<Redis | undefined> {
  const port = await freePort()
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
  const [command, ...args] = onCore('load', program, options)
  const child = spawn(command, args, { stdio: 'ignore' })
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).then(
    () => true,
    () => true,
  )
  for (const giveUpMs = performance.now() + startTimeoutMs; performance.now() < giveUpMs; ) {
    if (await takesConnections(port)) {
      return {
        url: `redis://127.0.0.1:${port}`,
        async stop() {
          child.kill('SIGTERM')
          await ended
        },
      }
    }
    if (await Promise.race([ended, sleep(20, false)])) return undefined
  }
  child.kill('SIGKILL')
  throw new Error(`${program} took no connection within ${startTimeoutMs} ms`)
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
