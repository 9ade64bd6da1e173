import { type FileMember, type FileReading, parseConfigFile } from './config-file.ts'
import { hintOf, notInFiles, settingMeantBy } from './look-alikes.ts'
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

const nothing: GivenSettings = { given: new Map(), faults: [] }

function* fromEnvironment(environment: Environment): Iterable<[SettingName, GivenSetting]> {
  for (const name of Object.keys(settings.entries)) {
    const value = environment[name]
    if (isSettingName(name) && value !== undefined) yield [name, { value, origin: 'environment' }]
  }
}

function fromFile(path: string, readTextFile: ReadTextFile): GivenSettings {
  const file = readFile(path, readTextFile)
  if (!file.ok) return { ...nothing, faults: [`CONFIG_FILE (environment): the file "${path}" ${file.fault}`] }

  const given = new Map<SettingName, GivenSetting>()
  const writtenAs = new Map<SettingName | typeof permissionsSection, string>()
  const faults: string[] = []

  function add(name: SettingName, written: string, { value, place }: FileMember): void {
    const origin = `${path}, ${place}`
    if (isNew(name, written, origin)) {
      given.set(name, { value, origin: written === name ? origin : `${written} in ${origin}` })
    }
  }

  function isNew(name: SettingName | typeof permissionsSection, written: string, origin: string): boolean {
    const before = writtenAs.get(name)
    writtenAs.set(name, written)
    if (before === undefined) return true
    const alias = before === written ? '' : `; it is the same as ${before}`
    faults.push(`${written} (${origin}): is given twice${alias}`)
    return false
  }

  function addPermissions({ name, members, place }: FileMember): void {
    const origin = `${path}, ${place}`
    if (!isNew(permissionsSection, name, origin)) return
    if (members === undefined) faults.push(`${name} (${origin}): must be a JSON object`)
    for (const inner of members ?? []) {
      const setting = permissionSettings.get(inner.name)
      if (setting !== undefined) add(setting, `${name}["${inner.name}"]`, inner)
      else faults.push(unknownKey(inner, path, name))
    }
  }

  for (const member of file.members) {
    if (member.name === permissionsSection) addPermissions(member)
    else if (isSettingName(member.name)) add(member.name, member.name, member)
    else faults.push(unknownKey(member, path))
  }
  return { given, faults }
}

const permissionsSection = 'Permissions'

// Words as settings have them: PORT, logLevel, Bids.Create. A secret is longer, or not of letters.
const looksLikeAName = /^[A-Za-z]{1,20}\d{0,2}(?:[_.-][A-Za-z]{1,20}\d{0,2}){0,5}$/

/** What is said of a key that is no setting. A value that stands in the place of a name must not be printed. */
function unknownKey({ name, place, value }: FileMember, path: string, section?: string): string {
  const origin = `${path}, ${place}`
  if (!looksLikeAName.test(name)) {
    const key = section === undefined ? 'a key' : `a key of ${section}`
    return `${key} (${origin}): is not a known setting; it may be a secret, so it is not repeated here`
  }
  const written = section === undefined ? name : `${section}["${name}"]`
  const meant = settingMeantBy(name, value)
  const hint = meant === undefined || notInFiles.has(meant) ? '' : `; ${hintOf(meant)}`
  return `${written} (${origin}): is not a known setting${hint}`
}

function readFile(path: string, readTextFile: ReadTextFile): FileReading {
  let text: string
  try {
    text = readTextFile(path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    return { ok: false, fault: `can't be read (${reason})` }
  }
  return parseConfigFile(text)
}
