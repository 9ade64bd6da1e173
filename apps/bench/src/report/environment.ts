import { cpus, release, totalmem, type } from 'node:os'

/** A server that was measured, by its name and its own words about itself. */
export type Database = {
  readonly name: string
  /** A file of this process, or a server that speaks MongoDB's protocol. */
  readonly kind: 'embedded' | 'server'
  readonly version?: string
  readonly ferretdbVersion?: string
  /** Of a server. */
  readonly hasAtomicUpdates?: boolean
}

/** Where and when a run took place. */
export type Environment = {
  readonly date: string
  readonly node: string
  readonly system: string
  readonly cpuModel: string
  readonly cpuCount: number
  readonly memoryGigabytes: number
  readonly databases: readonly Database[]
}

export function describeEnvironment(databases: readonly Database[]): Environment {
  const processors = cpus()
  return {
    date: new Date().toISOString(),
    node: process.version,
    system: `${type()} ${release()}`,
    cpuModel: processors[0]?.model ?? 'unknown',
    cpuCount: processors.length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    databases,
  }
}

/** The same on one line, for people. */
export function environmentLine({ date, node, system, cpuModel, cpuCount, databases }: Environment): string {
  const parts = [date.slice(0, 16).replace('T', ' '), `Node.js ${node}`, system, `${cpuCount} x ${cpuModel}`]
  return [...parts, ...databases.map(databaseText)].join(', ')
}

function databaseText({ name, kind, version, ferretdbVersion }: Database): string {
  if (kind === 'embedded') return `${name} ${version}`
  return ferretdbVersion === undefined ? `${name} (MongoDB ${version})` : `${name} (FerretDB, as MongoDB ${version})`
}
