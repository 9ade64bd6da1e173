/** What a caller may be allowed to do. */
export const permissions = [
  'Auctions.Create',
  'Bids.Create',
  'Auctions.Cancel',
  'Auctions.Read',
  'Bids.Read',
  'Auctions.Reserve.Read',
] as const
export type Permission = (typeof permissions)[number]

/** Tells from what is known of an authenticated caller whether it holds a permission; nothing is granted by default. */
export interface PermissionChecker<Caller> {
  allows(caller: Caller, permission: Permission): boolean
}
