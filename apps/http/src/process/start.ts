import { readFileSync } from 'node:fs'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { cut } from '../log/cut.ts'
import { messageOf } from '../log/message-of.ts'
import { openLog } from '../log/open-log.ts'
import { loadStore, type OpenStore, storeSettingOf } from './load-store.ts'
import { runtimeFault } from './runtime.ts'

/** Starts the service as its settings say. What is wrong is told on standard error, a line each, and ends the process with code 1. */
export async function start(): Promise<void> {
  const unsafe = runtimeFault(process.versions.node)
  if (unsafe !== undefined) {
    refuseToStart([unsafe])
    return
  }
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

  const openStore = await loadStore(configuration.store, (notice) => log.logger.warn(cut(notice)))
  // Threads start and servers answer while the other modules are loaded. What goes wrong is told below.
  const opening = openStore()
  opening.catch(() => undefined)
  const { serve } = await import('./serve.ts')
  let store: OpenStore
  try {
    store = await opening
  } catch (error) {
    refuseToStart([`${storeSettingOf[configuration.store.kind]}: ${messageOf(error)}`, ...warnings])
    return
  }
  const served = await serve({ configuration, warnings, store, log })
  if (!served.ok) refuseToStart([served.fault, ...warnings])
}

function refuseToStart(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exitCode = 1
}
