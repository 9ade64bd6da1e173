import type { Permission } from '@auction/adapters/jwt'
import { describeSettings } from '../../configuration/describe-settings.ts'
import { permissionSettings } from '../../configuration/settings.ts'

/** Describes in Markdown the value that a token needs for a permission, with its setting. */
export function permissionInWords(permission: Permission): string {
  const setting = describeSettings().find(({ name }) => name === permissionSettings.get(permission))
  if (setting === undefined) return `\`${permission}\``
  return `\`${permission}\` (${setting.byDefault}, unless \`${setting.name}\` is set)`
}
