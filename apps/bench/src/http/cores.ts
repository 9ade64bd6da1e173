import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One core for the server that is measured, another one for the load and for whatever else it needs. */
const cores = { server: 0, load: 1 } as const
export type Role = keyof typeof cores

/** Whether processes can be kept on a core here. Where they can't, the load takes time from the server that it measures. */
export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined

/** A command that runs on the core of its role only, where that can be had. */
export const onCore = (role: Role, command: string, args: readonly string[]): readonly [string, ...string[]] =>
  isPinned ? ['taskset', '--cpu-list', String(cores[role]), command, ...args] : [command, ...args]
