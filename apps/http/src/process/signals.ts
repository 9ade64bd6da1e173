// The process ends with code 0, or that of a failed start.
const end = () => process.exit()

/**
 * Ends the process at once on a signal, until it serves. The first process of a container would ignore the signal
 * otherwise.
 */
export const endOnSignals = (): unknown => process.on('SIGTERM', end).on('SIGINT', end)

/** Removes the listeners, for an orderly shutdown. */
export const leaveSignals = (): unknown => process.off('SIGTERM', end).off('SIGINT', end)
