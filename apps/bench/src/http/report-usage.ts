import { tracingChannel } from 'node:diagnostics_channel'
import type { Server } from 'node:net'

// The process loads this before the server. It sends the port on which the server listens, responds to each message
// with the user and system time of all threads, in µs, and ends with the channel.
// The cast: Node describes this channel.
tracingChannel('net.server.listen').asyncEnd.subscribe((message) => {
  const address = (message as { readonly server: Server }).server.address()
  if (address !== null && typeof address === 'object') process.send?.(address.port)
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.channel?.unref()
process.on('disconnect', () => process.exit())
