import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Sample } from '../measure/rows.ts'
import { type Server, token } from './server.ts'

/** The connections of a run whose load names no number. */
export const defaultConnections = 64

const script = fileURLToPath(new URL('./wrk.lua', import.meta.url))

/** The output of wrk.lua for a run. */
type Summary = Readonly<
  Record<'requests' | 'durationMicros' | 'p50Micros' | 'p99Micros' | 'refused' | 'faults' | 'failed', number>
>

// Amounts rise over all runs, so that every bid is accepted.
let firstDollars = 1

export type Load = {
  readonly auctions: number
  readonly seconds: number
  readonly connections?: number
  /** Whether other clients bid on the same auctions, so that bids are refused: other responses than these count as failed. */
  readonly mayBeRefused?: boolean
  /** What is read; without it, bids are placed on the auctions in turn. */
  readonly path?: string | undefined
}

/** Sends requests, on each connection the next one after a response. wrk accepts only whole seconds. */
export async function runWrk({ origin }: Pick<Server, 'origin'>, load: Load) {
  const { auctions, seconds, connections = defaultConnections, mayBeRefused = false, path } = load
  const args = [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.max(1, Math.round(seconds))}s`],
    ...['--script', script, origin, '--', token, String(auctions), String(firstDollars), String(connections)],
    String(mayBeRefused),
    ...(path === undefined ? [] : [path]),
  ]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  const line = /^summary (.*)$/m.exec(printed)?.[1]
  if (line === undefined) throw new Error(`wrk ended without a summary; it printed:\n${printed}`)
  const { requests, durationMicros, p50Micros, p99Micros, refused, faults, failed } = JSON.parse(line) as Summary // The output of wrk.lua.
  // Requests without a response at the end count as sent.
  firstDollars += requests + connections
  const perSecond = (count: number) => (count * 1e6) / durationMicros
  const sample: Sample = {
    perSecond: perSecond(requests - refused - faults),
    ...(mayBeRefused && { servedPerSecond: perSecond(requests - faults) }),
    refusedPerSecond: perSecond(refused),
    failedPerSecond: perSecond(failed + faults),
    p50Ms: p50Micros / 1e3,
    p99Ms: p99Micros / 1e3,
  }
  return { requests, sample }
}
