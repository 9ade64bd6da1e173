import { typesOfApi } from '../../apps/http/test/clients/typescript/make-types.ts'
import { configurationPage } from './configuration.ts'
import { metricsPage } from './metrics.ts'

/** A file that is made from the sources, and committed for those who read it. */
type MadePage = { readonly path: string; readonly make: () => string | Promise<string> }

/** What `pnpm docs:reference` writes, and a test compares. */
export const madePages: readonly MadePage[] = [
  { path: 'docs/reference/configuration.md', make: configurationPage },
  { path: 'docs/reference/metrics.md', make: metricsPage },
  { path: 'apps/http/test/clients/typescript/types.ts', make: typesOfApi },
]
