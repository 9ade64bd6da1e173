import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectGarbage } from '../measure/garbage.ts'

/** What a server's process used since it was last asked. */
export type Usage = {
  /** Of user and system, in all threads. */
  readonly cpuMicros: number
  /** By how much a timer came too late. */
  readonly loopDelayP99Ms: number
}

/** What a server's process holds after a collection, in megabytes of 10^6 bytes. */
export type Memory = { readonly rssMegabytes: number; readonly heapUsedMegabytes: number }

export type Question = 'usage' | 'memory'

// Loaded into a server's process before the server, and answers every message. The channel alone does not keep the process
// alive, and its end ends the process.
const resolutionMs = 1
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
let before = process.cpuUsage()

process.on('message', (question) => {
  process.send?.(question === 'memory' ? readMemory() : readUsage())
})
process.channel?.unref()
process.on('disconnect', () => process.exit())

function readUsage(): Usage {
  const { user, system } = process.cpuUsage(before)
  before = process.cpuUsage()
  // The histogram holds the times from one timer to the next.
  const loopDelayP99Ms = Math.max(0, delay.percentile(99) / 1e6 - resolutionMs)
  delay.reset()
  return { cpuMicros: user + system, loopDelayP99Ms }
}

function readMemory(): Memory {
  collectGarbage()
  const { rss, heapUsed } = process.memoryUsage()
  return { rssMegabytes: rss / 1e6, heapUsedMegabytes: heapUsed / 1e6 }
}
