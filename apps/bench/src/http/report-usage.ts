// Loaded into the process before the server. It responds to each message with the user and system time of all threads, in µs. When the
// channel ends, the process ends.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.channel?.unref()
process.on('disconnect', () => process.exit())
