import { readFileSync } from 'node:fs'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { cut } from '../log/cut.ts'
import { openLog } from '../log/open-log.ts'
import { loadStore } from './load-store.ts'

/** Starts the service as its settings say. What is wrong is told on standard error, a line each, and ends the process with code 1. */
export async function start(): Promise<void> {
  const reading = readConfiguration(process.env, (path) => readFileSync(path, 'utf8'))
  const { warnings } = reading
  if (!reading.ok) {
    refuseToStart([...reading.faults, ...warnings])
    return
  }
  const { configuration } = reading
  const isTrial = configuration.tokenKey === undefined
  // Standard output holds one kind of thing: the log, or in a trial the text for whoever tries the service.
  const log = await openLog(configuration.logLevel, isTrial ? process.stderr : process.stdout)

  // All modules are loaded before the store is opened: the timers of a driver must not run out while a slow machine compiles.
  const openStore = await loadStore(configuration.store, (notice) => log.logger.warn(cut(notice)))
  const { serve } = await import('./serve.ts')
  const served = await serve({ configuration, warnings, openStore, log })
  if (!served.ok) refuseToStart([served.fault, ...warnings])
}

function refuseToStart(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 1
}
