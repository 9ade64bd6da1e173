import { readConfiguration } from '../configuration/read-configuration.ts'
import { loadStore } from '../process/load-store.ts'
import { fail, messageOf, print } from '../process/terminal.ts'

/** Upgrades the data of the store to the format of this version, and prints how many documents were changed. */
export async function upgrade(): Promise<void> {
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults)
  const { store: choice } = reading.configuration
  const store = await loadStore(choice)
  if (store.upgrade === undefined) return fail(`--upgrade: ${store.setting} has no earlier format that can be upgraded`)
  try {
    const upgraded = await store.upgrade(print)
    if (upgraded === undefined) return print('Nothing to upgrade: the data has the format of this version.')
    const counts = Object.entries(upgraded).map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    print(`Upgraded ${counts.join(' and ')}. Servers of this version can start.`)
  } catch (error) {
    fail(`${store.setting}: ${messageOf(error)}`)
  }
}
