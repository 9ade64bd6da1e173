import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BiddingOrder, BiddingReport } from './order.ts'

/** Runs a process for each of the orders, which begin together, and returns what they report. */
export async function runProcesses(orders: readonly BiddingOrder[]): Promise<readonly BiddingReport[]> {
  const script = fileURLToPath(import.meta.resolve('./bidding-process.ts'))
  const children = orders.map(() => fork(script, [], { execArgv: ['--conditions=@auction/source'] }))
  try {
    await Promise.all(children.map((child, index) => answerTo(child, orders[index])))
    const reports = await Promise.all(children.map((child) => answerTo(child, 'go')))
    return reports as BiddingReport[] // What bidding-process.ts sends, and nothing else does.
  } finally {
    for (const child of children) child.kill()
  }
}

/** Sends a message, and waits for the one that comes back. */
async function answerTo(child: ChildProcess, message: BiddingOrder | 'go' | undefined): Promise<unknown> {
  const ended = new AbortController()
  const onExit = () => ended.abort(new Error('a bidding process ended; its own words are above'))
  child.once('exit', onExit)
  try {
    const answered = once(child, 'message', { signal: ended.signal })
    child.send(message ?? 'go')
    const [answer] = await answered
    return answer
  } finally {
    child.off('exit', onExit)
  }
}
