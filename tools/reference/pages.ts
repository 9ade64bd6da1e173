import { configurationPage } from './configuration.ts'
import { errorsPage } from './errors.ts'
import { metricsPage } from './metrics.ts'
import { domainReadme } from './refusals.ts'

/** A file that is generated from the sources, and committed for readers. */
type MadePage = { readonly path: string; readonly make: () => string | Promise<string> }

/** The files that `pnpm docs:reference` writes and a test compares. */
export const madePages: readonly MadePage[] = [
  { path: 'docs/reference/configuration.md', make: configurationPage },
  { path: 'docs/reference/metrics.md', make: metricsPage },
  { path: 'docs/reference/errors.md', make: errorsPage },
  { path: 'packages/domain/README.md', make: domainReadme },
]
