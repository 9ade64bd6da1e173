import { registerHooks } from 'node:module'

// An HTTP server knows only the adapters of this repository. This replaces that of SQLite by the module under test.
const replacement = import.meta.resolve('./module-as-sqlite.ts')

registerHooks({
  resolve(specifier, context, next) {
    const isReplaced =
      specifier === '@auction/adapters/sqlite' && context.parentURL?.endsWith('/process/load-store.ts') === true
    return next(isReplaced ? replacement : specifier, context)
  },
})
