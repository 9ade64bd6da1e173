import { runAutocannon } from './autocannon.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { runWrk, wrkVersion } from './wrk.ts'

export type LoadGenerator = {
  /** For people: its name, and how it is set up. */
  readonly description: string
  run(order: LoadOrder): Promise<LoadReport>
}

/** The generator that is here: wrk where it is installed, else autocannon. Each run is a process of its own. */
export function chooseLoadGenerator(): LoadGenerator {
  const wrk = wrkVersion()
  // Amounts rise over all orders, so that every bid is accepted.
  let firstDollars = 1
  return {
    description: wrk ?? 'autocannon (wrk is not installed)',
    async run(order) {
      const numbered = { ...order, firstDollars }
      const report = await (wrk === undefined ? runAutocannon(numbered) : runWrk(numbered))
      // What was sent at the end and not answered counts, too.
      firstDollars += report.requests + order.connections
      return report
    },
  }
}
