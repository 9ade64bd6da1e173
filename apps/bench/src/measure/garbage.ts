import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The engine shows its collector only to contexts that are made after the flag is set.
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Collects what the last point left behind, which the next one would otherwise pay for. */
export function collectGarbage(): void {
  if (typeof collect === 'function') collect()
}
