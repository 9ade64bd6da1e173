import type { Permission } from '@auction/domain/permissions'
import { describeSettings } from '../configuration/describe-settings.ts'
import { permissionSettings } from '../configuration/settings.ts'

/** Says in Markdown what a token must have for a permission, as the settings decide it. */
export function permissionInWords(permission: Permission): string {
  const setting = describeSettings().find(({ name }) => name === permissionSettings.get(permission))
  if (setting === undefined || !('unset' in setting)) return `\`${permission}\``
  return `\`${permission}\` (${setting.unset}, unless \`${setting.name}\` is set)`
}
