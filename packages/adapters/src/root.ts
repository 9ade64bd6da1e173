/** Ends the import of the bare name. */
function refuseImport(): never {
  const folders = ['memory', 'sqlite', 'mongodb', 'postgresql', 'jwt', 'system']
  const names = folders.map((folder) => `'@auction/adapters/${folder}'`).join(', ')
  throw new Error(`'@auction/adapters' itself has nothing to import: each adapter has a name of its own: ${names}`)
}

// An import that names what it wants would fail before the error is thrown, and say less, unless there is something of that name.
// The types leave them out, so that no editor offers them.
/** @internal */
export const adapter: never = refuseImport()
/** @internal */
export {
  adapter as claimPath,
  adapter as connectMongoStore,
  adapter as connectPostgresqlStore,
  adapter as createJwtPermissionChecker,
  adapter as createManualClock,
  adapter as createMemoryStore,
  adapter as inspectMongoDatabase,
  adapter as inspectPostgresqlDatabase,
  adapter as inspectSqliteFile,
  adapter as openSqliteStore,
  adapter as systemClock,
}
