import { configurationPage } from './configuration.ts'
import { metricsPage } from './metrics.ts'

/** A file of docs/reference that is made from the sources. */
type MadePage = { readonly path: string; readonly make: () => string }

/** What `pnpm docs:reference` writes, and a test compares. */
export const madePages: readonly MadePage[] = [
  { path: 'docs/reference/configuration.md', make: configurationPage },
  { path: 'docs/reference/metrics.md', make: metricsPage },
]
