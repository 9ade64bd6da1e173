import type { Configuration } from '../../apps/http/src/configuration/configuration.ts'
import { readConfiguration } from '../../apps/http/src/configuration/read-configuration.ts'
import { dockerfile } from '../image/dockerfile.ts'

/** What the service reads from an environment. @throws Error when it would not start, or would warn of something */
export function configurationIn(environment: Readonly<Record<string, string>>): Configuration {
  const reading = readConfiguration(environment, () => {
    throw new Error('no file is named')
  })
  const complaints = [...(reading.ok ? [] : reading.faults), ...reading.warnings]
  if (!reading.ok || complaints.length > 0) throw new Error(complaints.join('\n'))
  return reading.configuration
}

/** The same where the image of the Dockerfile runs. */
export const configurationInImage = (environment: Readonly<Record<string, string>>): Configuration =>
  configurationIn({ ...dockerfile.environment, ...environment })

/** How long whoever stops the service must wait for its end: its own time, and what it takes to end a process. */
export const endsWithinSeconds = ({ shutdownMs }: Configuration): number => shutdownMs / 1000 + 5

/** The heap that a process is given, in MiB. */
export const heapMiBOf = ({ NODE_OPTIONS = '' }: Readonly<Record<string, string>>): number =>
  Number(/^--max-old-space-size=(\d+)$/.exec(NODE_OPTIONS)?.[1])
