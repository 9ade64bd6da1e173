import { chooseLoadGenerator } from '../http/load-generator.ts'
import { connections } from '../http/measure-points.ts'
import { withProcesses } from '../http/running.ts'
import { startService } from '../http/service.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'
import type { MemorySample } from './section.ts'

type HttpSoak = { readonly bids: number; readonly samples: number }

// wrk counts in whole seconds.
const seconds = 2

/** Places bids over HTTP, as many as are wanted at least, and samples the server's memory at about equal distances. */
export const soakOverHttp = ({ bids, samples }: HttpSoak, take: (sample: MemorySample) => void): Promise<void> =>
  withScratchFile((file) =>
    withProcesses(async (started) => {
      const { origin, callers, memory } = started(await startService({ SQLITE_FILE: file }))
      const load = chooseLoadGenerator()
      let placed = 0
      let placedBefore = 0
      let loadSeconds = 0
      for (let sample = 1; sample <= samples; sample++) {
        do {
          const order = { origin, request: 'bid', callers, connections, seconds, headers: {} } as const
          const { requests, trouble } = await load.run(order)
          if (trouble !== undefined) throw new Error(`bids that are high enough were refused: ${trouble}`)
          placed += requests
          loadSeconds += seconds
        } while (placed < (bids / samples) * sample)
        const bidsPerSecond = (placed - placedBefore) / loadSeconds
        take({ bids: placed, bidsPerSecond, ...(await memory()) })
        placedBefore = placed
        loadSeconds = 0
      }
    }),
  )
