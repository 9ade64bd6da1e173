import { cpus, release, totalmem, type } from 'node:os'
import type { Document } from 'mongodb'

/** Where and when a run took place. */
export type Environment = {
  readonly date: string
  readonly node: string
  readonly system: string
  readonly cpuModel: string
  readonly cpuCount: number
  readonly memoryGigabytes: number
  /** What the database server says of itself, or undefined where none was measured. */
  readonly mongodb: Document | undefined
}

export function describeEnvironment(mongodb: Document | undefined): Environment {
  const processors = cpus()
  return {
    date: new Date().toISOString(),
    node: process.version,
    system: `${type()} ${release()}`,
    cpuModel: processors[0]?.model ?? 'unknown',
    cpuCount: processors.length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    mongodb,
  }
}

/** The same on one line, for people. */
export function environmentLine({ date, node, system, cpuModel, cpuCount, mongodb }: Environment): string {
  const parts = [date.slice(0, 16).replace('T', ' '), `Node.js ${node}`, system, `${cpuCount} x ${cpuModel}`]
  return mongodb === undefined ? parts.join(', ') : `${parts.join(', ')}, ${databaseText(mongodb)}`
}

const databaseText = ({ version, ferretdbVersion }: Document): string =>
  ferretdbVersion === undefined ? `MongoDB ${version}` : `FerretDB in the place of MongoDB ${version}`
