const signals = ['SIGTERM', 'SIGINT'] as const

const end = () => process.exit(0)

/**
 * Ends the process at once when it is told to, as long as nobody is served by it. Without this, the first process of a container
 * would ignore the signal until its start is over.
 */
export function endOnSignals(): void {
  for (const signal of signals) process.on(signal, end)
}

/** Leaves signals to whoever ends what is served in order. */
export function leaveSignals(): void {
  for (const signal of signals) process.off(signal, end)
}
