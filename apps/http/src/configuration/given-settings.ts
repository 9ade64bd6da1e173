import { isPlainObject } from '@auction/domain/validation'
import { isSettingName, permissionSettings, type SettingName, settings } from './settings.ts'

/** A value as it was given, with the place it came from, which a fault names. */
export type GivenSetting = { readonly value: unknown; readonly origin: string }
export type GivenSettings = {
  readonly given: ReadonlyMap<SettingName, GivenSetting>
  readonly faults: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>
export type ReadTextFile = (path: string) => string

/** Gathers what is given in the file that CONFIG_FILE names, and in the environment, which wins. */
export function gatherSettings(environment: Environment, readTextFile: ReadTextFile): GivenSettings {
  const path = environment['CONFIG_FILE']
  const file = path === undefined ? nothing : fromFile(path, readTextFile)
  return { given: new Map([...file.given, ...fromEnvironment(environment)]), faults: file.faults }
}

/** Variables that look as if they were meant for this service, and are none of its settings. */
export const strayVariables = (environment: Environment): readonly string[] =>
  Object.keys(environment).filter((name) => /^(JWT|RATE_LIMIT|PERMISSIONS)_/.test(name) && !isSettingName(name))

const nothing: GivenSettings = { given: new Map(), faults: [] }

function* fromEnvironment(environment: Environment): Iterable<[SettingName, GivenSetting]> {
  for (const name of Object.keys(settings.entries)) {
    const value = environment[name]
    if (isSettingName(name) && value !== undefined) yield [name, { value, origin: 'environment' }]
  }
}

function fromFile(path: string, readTextFile: ReadTextFile): GivenSettings {
  const contents = readJsonObject(path, readTextFile)
  if (!contents.ok) return { ...nothing, faults: [`CONFIG_FILE (environment): ${contents.fault}`] }

  const given = new Map<SettingName, GivenSetting>()
  const faults: string[] = []
  const add = (writtenAs: string, name: SettingName | undefined, value: unknown) => {
    if (name === undefined) faults.push(`${writtenAs} (${path}): is not a known setting`)
    else if (given.has(name)) faults.push(`${writtenAs} (${path}): is given twice; it is the same as ${name}`)
    else given.set(name, { value, origin: writtenAs === name ? path : `${writtenAs} in ${path}` })
  }

  for (const [name, value] of Object.entries(contents.value)) {
    if (name !== 'Permissions') add(name, isSettingName(name) ? name : undefined, value)
    else if (!isPlainObject(value)) faults.push(`Permissions (${path}): must be a JSON object`)
    else
      for (const [key, inner] of Object.entries(value)) add(`Permissions["${key}"]`, permissionSettings.get(key), inner)
  }
  return { given, faults }
}

type JsonObject = Readonly<Record<string, unknown>>

function readJsonObject(
  path: string,
  readTextFile: ReadTextFile,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly fault: string } {
  let text: string
  try {
    text = readTextFile(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    return { ok: false, fault: `the file "${path}" can't be read (${reason})` }
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isPlainObject(value)) return { ok: true, value }
  } catch {
    // The engine's message would repeat the text, secrets and all.
  }
  return { ok: false, fault: `the file "${path}" must hold one JSON object` }
}
