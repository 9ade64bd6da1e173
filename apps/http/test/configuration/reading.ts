import { type ConfigurationReading, readConfiguration } from '../../src/configuration/read-configuration.ts'

/** The file of `read`. */
export const path = 'auction.json'

/** Reads a configuration from an environment and, if `contents` is given, a file. */
export function read(environment: Readonly<Record<string, string>>, contents?: unknown): ConfigurationReading {
  const file = contents === undefined ? {} : { CONFIG_FILE: path }
  const text = typeof contents === 'string' ? contents : JSON.stringify(contents)
  return readConfiguration({ ...file, ...environment }, () => text)
}

export const errorsOf = (reading: ConfigurationReading): readonly string[] => (reading.ok ? [] : reading.faults)

export function configurationOf(reading: ConfigurationReading) {
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  return reading.configuration
}
