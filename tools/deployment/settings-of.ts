import type { Configuration } from '../../apps/http/src/configuration/configuration.ts'
import { readConfiguration } from '../../apps/http/src/configuration/read-configuration.ts'
import { dockerfile } from '../image/dockerfile.ts'

/** The configuration in an environment. @throws Error if the service would not start, or would log a warning */
export function configurationIn(environment: Readonly<Record<string, string>>): Configuration {
  const reading = readConfiguration(environment, () => {
    throw new Error('the environment names no file')
  })
  const complaints = [...(reading.ok ? [] : reading.faults), ...reading.warnings]
  if (!reading.ok || complaints.length > 0) throw new Error(complaints.join('\n'))
  return reading.configuration
}

/** The same in the image of the Dockerfile. */
export const configurationInImage = (environment: Readonly<Record<string, string>>): Configuration =>
  configurationIn({ ...dockerfile.environment, ...environment })

/** How long a supervisor must wait for the service to stop: the time in its settings, and a margin. */
export const endsWithinSeconds = ({ shutdownMs }: Configuration): number => shutdownMs / 1000 + 5

/** The limit of the heap, in MiB. */
export const heapMiBOf = ({ NODE_OPTIONS = '' }: Readonly<Record<string, string>>): number =>
  Number(/^--max-old-space-size=(\d+)$/.exec(NODE_OPTIONS)?.[1])
