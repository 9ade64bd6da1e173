import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The engine shows its collector only to contexts that are made after the flag is set.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // The flag defines it.

/** Collects the garbage of this process now, so that the next measurement does not pay for it. */
export async function collectGarbage(): Promise<void> {
  // Work on memory runs no timers; those of closed services would keep all that the services hold.
  await sleep(1)
  collect()
}
