import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { onCore } from './cores.ts'
import { type LoadReport, loadReportOf, type NumberedOrder } from './load.ts'

const script = fileURLToPath(new URL('./wrk.lua', import.meta.url))

/** What wrk calls itself, or undefined when it is not installed. */
export function wrkVersion(): string | undefined {
  const { stdout, error } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  if (error !== undefined) return undefined
  return /^wrk \S+/.exec(stdout)?.[0] ?? 'wrk'
}

/** What wrk.lua prints of a run. Times are in microseconds. */
const Summary = v.object({
  requests: v.number(),
  durationMicros: v.number(),
  p50Micros: v.number(),
  p99Micros: v.number(),
  refused: v.number(),
  failed: v.number(),
})

/** Lets wrk send requests, each connection its next one when its last one is answered. wrk takes whole seconds only. */
export async function runWrk(order: NumberedOrder): Promise<LoadReport> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-load-'))
  try {
    const callers = join(folder, 'callers')
    await writeFile(callers, order.callers.map(({ token, auctionId }) => `${token} ${auctionId}\n`).join(''))
    const headers = Object.entries(order.headers).flat()
    const seconds = Math.max(1, Math.round(order.seconds))
    const [command, ...args] = onCore('load', 'wrk', [
      ...['--threads', '1', '--connections', String(order.connections), '--duration', `${seconds}s`],
      ...['--script', script, order.origin, '--'],
      ...[callers, order.request, String(order.firstDollars), ...headers],
    ])
    return await reportOf(command, args)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function reportOf(command: string, args: readonly string[]): Promise<LoadReport> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  const line = /^summary (.*)$/m.exec(printed)?.[1]
  if (line === undefined) throw new Error(`wrk ended without a summary; it printed:\n${printed}`)
  const summary = v.parse(Summary, JSON.parse(line))
  return loadReportOf({
    ...summary,
    seconds: summary.durationMicros / 1e6,
    p50Ms: summary.p50Micros / 1e3,
    p99Ms: summary.p99Micros / 1e3,
  })
}
