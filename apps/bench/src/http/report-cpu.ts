// Loaded into a server's process before the server: answers every message with the CPU time that the process has used so
// far, in all its threads. The channel alone does not keep the process alive, and its end ends the process.
process.on('message', () => process.send?.(process.cpuUsage()))
process.channel?.unref()
process.on('disconnect', () => process.exit())
