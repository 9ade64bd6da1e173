/** The resources that a server process has used since the last request, and its memory after a garbage collection. */
export type Usage = {
  /** User and system time, of all threads. */
  readonly cpuMicros: number
  readonly residentBytes: number
  readonly heapBytes: number
}

// Loaded into the process before the server. It responds to every message; when the channel ends, the process ends.
let before = process.cpuUsage()

process.on('message', () => {
  const { user, system } = process.cpuUsage(before)
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpuMicros: user + system, residentBytes: rss, heapBytes: heapUsed } satisfies Usage)
  before = process.cpuUsage()
})
process.channel?.unref()
process.on('disconnect', () => process.exit())
