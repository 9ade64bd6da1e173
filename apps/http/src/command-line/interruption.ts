import { leaveSignals } from '../process/signals.ts'

export type Interruption = { isRequested: boolean }

/** A first signal requests that the command ends in order, and a second one ends the process. */
export function interruptible(): Interruption {
  const interruption: Interruption = { isRequested: false }
  const request = () => {
    interruption.isRequested = true
  }
  leaveSignals()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, request)
  return interruption
}
