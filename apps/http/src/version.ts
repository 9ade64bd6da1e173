import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text) // The file is part of this package.
  return version
}
