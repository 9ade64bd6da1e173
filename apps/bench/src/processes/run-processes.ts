import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BiddingOrder, BiddingReport } from './order.ts'

const script = fileURLToPath(new URL('./bidding-process.ts', import.meta.url))

/** Runs a process for each of the orders, which begin together, and returns what they report. */
export async function runProcesses(orders: readonly BiddingOrder[]): Promise<readonly BiddingReport[]> {
  const processes = orders.map((order) => {
    return { order, child: fork(script, [], { execArgv: ['--conditions=@auction/source'] }) }
  })
  try {
    await Promise.all(processes.map(({ child, order }) => ask(child, order)))
    const reports = await Promise.all(processes.map(({ child }) => ask(child, 'go')))
    return reports as readonly BiddingReport[] // What bidding-process.ts sends, and nothing else does.
  } finally {
    for (const { child } of processes) child.kill()
  }
}

/** Sends a message, and waits for the one that comes back. */
async function ask(child: ChildProcess, message: BiddingOrder | 'go'): Promise<unknown> {
  const ended = new AbortController()
  const onExit = () => ended.abort(new Error('a bidding process ended; its own words are above'))
  child.once('exit', onExit)
  try {
    const answered = once(child, 'message', { signal: ended.signal })
    child.send(message)
    const [answer] = await answered
    return answer
  } finally {
    child.off('exit', onExit)
  }
}
