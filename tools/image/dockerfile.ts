import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that the Dockerfile stands in, which is what it builds from. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const text = readFileSync(join(root, 'Dockerfile'), 'utf8')

const matches = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

function one(pattern: RegExp): string {
  const [found, ...others] = matches(pattern)
  if (found === undefined || others.length > 0) throw new Error(`the Dockerfile must have one ${pattern}`)
  return found
}

/** What the Dockerfile says of the image that is made: its last stage. */
export const dockerfile = {
  /** The images that the stages begin with. */
  bases: matches(/^FROM (\S+)/gm),
  /** The command that builds the tree. */
  build: one(/^ +(sh .*)$/gm),
  /** Where the tree is. */
  folder: one(/^COPY --from=build (?:\S+) (\S+)$/gm),
  volume: one(/^VOLUME (\S+)$/gm),
  user: one(/^USER (\S+)$/gm),
  environment: Object.fromEntries(
    one(/^ENV (.*)$/gm)
      .split(' ')
      .map((pair) => pair.split('=')),
  ),
  entrypoint: command(one(/^ENTRYPOINT (.*)$/gm)),
  healthCheck: command(one(/^HEALTHCHECK .*? CMD (.*)$/gm)),
} as const

function command(json: string): readonly string[] {
  const parts: unknown = JSON.parse(json)
  if (Array.isArray(parts) && parts.every((part) => typeof part === 'string')) return parts
  throw new Error(`not a command as a list: ${json}`)
}
