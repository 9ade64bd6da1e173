import { toldAbout } from './setting.ts'
import { isSettingName, type SettingName, settings } from './settings.ts'

/** A setting as people read about it: in the reference, and by `--help`. Texts are Markdown. */
export type SettingDescription = {
  readonly name: SettingName
  readonly group: string
  readonly description: string
  /** What its value must be, for example `an integer from 1 to 600`. */
  readonly values: string
  readonly unit: string | undefined
  readonly isSecret: boolean
} & (
  | { readonly default: string }
  /** What holds when it is not given, where that is no constant. */
  | { readonly unset: string }
)

/** Every setting, in the order of the table. */
export function describeSettings(): readonly SettingDescription[] {
  return Object.keys(settings.entries).filter(isSettingName).map(describe)
}

function describe(name: SettingName): SettingDescription {
  const entry = settings.entries[name]
  const { group, description, values, unit, isSecret = false, unset } = toldAbout(entry)
  const value = entry.default
  const about = { name, group, description, values, unit, isSecret }
  if (value !== undefined) return { ...about, default: String(value) }
  if (unset === undefined) throw new Error(`${name} has no default, and nothing is told of what holds without it`)
  return { ...about, unset }
}
