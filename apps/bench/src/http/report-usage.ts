import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a server process reports. */
export type Usage = {
  /** The user and system time of all threads, in µs. */
  readonly cpu: number
  /** In bytes, after a full garbage collection. */
  readonly memory: { readonly resident: number; readonly heap: number }
  /** The longest time between two turns of the event loop since the previous report, in ms. Measured from the first report on. */
  readonly longestTurn: number
}

// Loaded into the process before the server. It responds to the names of figures; when the channel ends, the process ends.
process.on('message', (figure: keyof Usage) => process.send?.(figures[figure]()))
process.channel?.unref()
process.on('disconnect', () => process.exit())

const turns = monitorEventLoopDelay({ resolution: 1 })

const figures: { readonly [Figure in keyof Usage]: () => Usage[Figure] } = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  // Not with the CPU time: a forced collection discards compiled code, and the requests after it cost twice as much.
  memory() {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    const { rss, heapUsed } = process.memoryUsage()
    return { resident: rss, heap: heapUsed }
  },
  longestTurn() {
    const longest = turns.max / 1_000_000
    turns.enable()
    turns.reset()
    return longest
  },
}
