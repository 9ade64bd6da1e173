import * as v from 'valibot'
import type { Metadata } from './setting.ts'
import { groups } from './settings.ts'

/** A setting as the reference and `--help` show it, in Markdown. */
export type SettingDescription = {
  readonly name: string
  readonly group: string
  readonly description: string
  /** What its value must be, for example `an integer from 1 to 600`. */
  readonly values: string
  /** What applies without it, for example `10` seconds. */
  readonly byDefault: string
  readonly isSecret: boolean
}

export const describeSettings = (): readonly SettingDescription[] =>
  Object.entries(groups).flatMap(([group, entries]) =>
    Object.entries(entries).map(([name, entry]) => {
      // The cast: `setting` and the value checks write this metadata.
      const { description, values, unit, isSecret = false, unset } = v.getMetadata(entry.wrapped) as Metadata
      const byDefault = unset ?? [`\`${entry.default}\``, unit].filter(Boolean).join(' ')
      return { name, group, description, values, byDefault, isSecret }
    }),
  )
