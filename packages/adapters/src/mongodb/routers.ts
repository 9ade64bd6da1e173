import type { Db } from 'mongodb'
import { within } from './driver-call.ts'

/**
 * Refuses a router (mongos) that drops the error of a write concern when it comes with the error of a write: what stands before
 * a taken key would count as stored, though no majority has it. MongoDB mended that in 5.0.30, 6.0.14 and 7.0.6.
 * @throws Error that says which version there is, and which will do.
 */
export async function refuseLossyRouter(database: Db, timeoutMs: number): Promise<void> {
  const { version } = await within(timeoutMs, database.admin().command({ buildInfo: 1 }))
  const [named, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(String(version)) ?? []
  if (named !== undefined && reportsEveryError(numbers.map(Number))) return
  const found = named === undefined ? 'of an unknown version' : version
  throw new Error(`mongos ${found} can lose the error of a write that no majority has; use mongos 7.0.6 or later`)
}

/** The first patches of their series that do; every series after 7.0 does. */
const mended: Readonly<Record<string, number>> = { '5.0': 30, '6.0': 14, '7.0': 6 }

function reportsEveryError([major = 0, minor = 0, patch = 0]: readonly number[]): boolean {
  if (major > 7 || (major === 7 && minor > 0)) return true
  return patch >= (mended[`${major}.${minor}`] ?? Number.POSITIVE_INFINITY)
}
