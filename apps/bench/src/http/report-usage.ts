/** What a server's process has used since it was last asked, and what it holds after a collection. */
export type Usage = {
  /** Of user and system, in all threads. */
  readonly cpuMicros: number
  readonly residentBytes: number
  readonly heapBytes: number
}

// Loaded into the process before the server. It answers every message; the end of the channel ends the process.
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
