import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Sample } from '../measure/sample.ts'

/** Who sends requests on one connection, each when the last one is answered, and to which auction. */
export type Caller = { readonly token: string; readonly auctionId: number }

/** What callers do: each bids on its auction, or reads it. */
export type Request = 'bid' | 'read'

export type LoadOrder = {
  readonly origin: string
  readonly request: Request
  readonly callers: readonly Caller[]
  readonly seconds: number
}

export type LoadReport = {
  readonly sample: Sample
  /** All that were answered, those after the last of the seconds too. */
  readonly requests: number
  /** The first answer that was neither 201 nor 200, or other trouble. */
  readonly trouble: string | undefined
}

export type LoadGenerator = {
  run(order: LoadOrder): Promise<LoadReport>
  stop(): void
}

/** A process of its own that sends requests, so that what it costs is in nobody's figures. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(import.meta.resolve('./load-process.ts')), [], {
    execArgv: ['--conditions=@auction/source'],
  })
  return {
    run: (order) => runOn(child, order),
    stop: () => child.disconnect(),
  }
}

async function runOn(child: ChildProcess, order: LoadOrder): Promise<LoadReport> {
  const ended = new AbortController()
  const reported = once(child, 'message', { signal: ended.signal })
  const onExit = () => ended.abort(new Error('the load generator ended; its own words are above'))
  child.once('exit', onExit)
  child.send(order)
  const [report] = await reported
  child.off('exit', onExit)
  return report as LoadReport // What load-process.ts sends, and nothing else does.
}
