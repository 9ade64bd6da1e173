import { optionalSetting, scopeToken } from './value-checks.ts'

type PermissionRow = {
  readonly permits: string
  /** Set if any valid token has the permission unless its setting names a value. */
  readonly isGrantedToAll?: true
  /** Set if only staff have it: they see and change what others may not. */
  readonly isOfStaff?: true
}

const table = {
  'Auctions.Create': { permits: 'creating auctions' },
  'Bids.Create': { permits: 'placing bids and buying now' },
  'Auctions.Cancel': { permits: 'cancelling auctions' },
  'Auctions.Cancel.Any': { permits: 'cancelling any auction with a reason, even after bids', isOfStaff: true },
  'Auctions.Update': { permits: 'correcting auctions of the user of the caller before their first bid' },
  'Auctions.Update.Any': { permits: 'correcting any auction before its first bid', isOfStaff: true },
  'Auctions.Manage': {
    permits:
      'repairing running auctions: extending and ending them, withdrawing bids, and lowering reserves; relisting ended ones, and offering them to the next bidder',
    isOfStaff: true,
  },
  'Registers.Manage': {
    permits: 'creating registers of bidders, and admitting and refusing bidders',
    isOfStaff: true,
  },
  'Registers.Read': {
    permits: 'reading registers: who is listed, with their limits and paddles',
    isOfStaff: true,
  },
  'Sales.Manage': {
    permits: 'creating sales, and adding, extending and cancelling their lots',
    isOfStaff: true,
  },
  'Sales.Read': { permits: 'reading sales and their lots', isGrantedToAll: true },
  'Auctions.Read': { permits: 'reading auctions', isGrantedToAll: true },
  'Bids.Read': { permits: 'reading bids', isGrantedToAll: true },
  'Auctions.Reserve.Read': { permits: 'reading the reserve of any auction', isOfStaff: true },
  'Bidders.Read': { permits: 'reading the ids of bidders that `PSEUDONYM_SECRET` hides', isOfStaff: true },
} as const satisfies Record<string, PermissionRow>

export type Permission = keyof typeof table
const rows: Readonly<Record<Permission, PermissionRow>> = table
export const permissions = Object.keys(table) as readonly Permission[] // The names of the rows.
export const isOfStaff = (name: Permission): boolean => rows[name].isOfStaff === true

type WithUnderscores<Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? `${First}_${WithUnderscores<Rest>}`
  : Name
type PermissionSetting<Name extends Permission = Permission> = Name extends Permission
  ? `PERMISSIONS_${Uppercase<WithUnderscores<Name>>}`
  : never

/** The setting with the value that grants a permission. */
export const permissionSetting = (name: Permission): PermissionSetting =>
  `PERMISSIONS_${name.toUpperCase().replaceAll('.', '_')}` as PermissionSetting // As the type has it.

const defaultOf = (name: Permission, serviceName: string): string | undefined =>
  rows[name].isGrantedToAll === true ? undefined : `${serviceName}:${name.replaceAll('.', ':')}`

const schemaOf = (name: Permission) => {
  const byDefault = defaultOf(name, '{SERVICE_NAME}')
  const unset = byDefault === undefined ? 'any valid token suffices' : `\`${byDefault}\``
  return optionalSetting(scopeToken, unset, `Permits ${rows[name].permits}.`)
}

export const permissionSchemas = Object.fromEntries(
  permissions.map((name) => [permissionSetting(name), schemaOf(name)]),
) as { readonly [Name in PermissionSetting]: ReturnType<typeof schemaOf> } // One for each permission.

type PermissionSettings = { readonly SERVICE_NAME: string } & {
  readonly [Name in PermissionSetting]?: string | undefined
}

/** The value that grants each permission; undefined for one that any valid token has. */
export const permissionValuesOf = (settings: PermissionSettings): Readonly<Record<Permission, string | undefined>> =>
  Object.fromEntries(
    permissions.map((name) => [name, settings[permissionSetting(name)] ?? defaultOf(name, settings.SERVICE_NAME)]),
  ) as Record<Permission, string | undefined> // One for each permission.
