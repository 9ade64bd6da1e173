import { existsSync } from 'node:fs'
import type { StoreChoice } from '../configuration/configuration.ts'
import { loadStore, type OpenStore } from '../process/load-store.ts'
import { fail, messageOf } from '../process/terminal.ts'

/**
 * Opens the store for a command, while a server may use it, and closes it afterwards. Prints why it cannot be used.
 * @param option the option of the command, for messages
 */
export async function withStore(
  option: string,
  choice: StoreChoice,
  use: (store: OpenStore) => Promise<void>,
): Promise<void> {
  if (choice.kind === 'memory') {
    return fail(`${option}: cannot be used with STORE=memory: only the process of the service can read its data`)
  }
  // A store would create the file.
  if (choice.kind === 'sqlite' && !existsSync(choice.file)) {
    return fail(`SQLITE_FILE: the file ${choice.file} does not exist`)
  }
  const { setting, open } = await loadStore(choice)
  try {
    const store = await open((notice) => fail(notice))
    await use(store)
    await store.close()
  } catch (error) {
    fail(`${setting}: ${messageOf(error)}`)
  }
}
