// The service replaces the name of the package with its address, because browsers have no node_modules, and the policy of the page forbids
// an import map within it.
export * from '@auction/client'
