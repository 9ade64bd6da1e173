type Optional<Members> = { [Name in keyof Members]: undefined extends Members[Name] ? Name : never }[keyof Members]

/** The members without undefined values: those that may be undefined are optional. */
type Defined<Members> = Omit<Members, Optional<Members>> & {
  [Name in Optional<Members>]?: Exclude<Members[Name], undefined>
}

/** Copies an object without undefined members, which neither stored data nor responses have. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Defined<Members> // Without the members that were undefined.
}
