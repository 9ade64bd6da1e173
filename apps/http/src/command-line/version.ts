import { readFileSync } from 'node:fs'

/** The version of the service, as its package has it. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version: own }: { readonly version: string } = JSON.parse(text) // It is ours.
  return own
}
