import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onCore } from './cores.ts'
import type { LoadReport, NumberedOrder } from './load.ts'

const script = fileURLToPath(new URL('./autocannon-process.ts', import.meta.url))

/** Lets autocannon send requests, in a process of its own, so that what it costs is in nobody's figures. */
export async function runAutocannon(order: NumberedOrder): Promise<LoadReport> {
  const [command, ...args] = onCore('load', process.execPath, ['--conditions=@auction/source', script])
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = new AbortController()
  child.once('error', (error) => ended.abort(error))
  child.once('exit', () => ended.abort(new Error('the load generator ended; its own words are above')))
  const reported = once(child, 'message', { signal: ended.signal })
  child.send(order)
  const [report] = await reported
  return report as LoadReport // What autocannon-process.ts sends, and nothing else does.
}
