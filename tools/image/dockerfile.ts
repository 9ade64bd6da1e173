import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the Dockerfile, which is its build context. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const text = readFileSync(join(root, 'Dockerfile'), 'utf8')

const matches = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

function one(pattern: RegExp): string {
  const [found, ...others] = matches(pattern)
  if (found === undefined || others.length > 0) throw new Error(`the Dockerfile must have one ${pattern}`)
  return found
}

/** The settings of the image: the last stage of the Dockerfile. */
export const dockerfile = {
  /** The base images of the stages. */
  bases: matches(/^FROM (\S+)/gm),
  /** The command that builds the tree. */
  build: one(/^ +(sh .*)$/gm),
  /** The folder of the tree in the image. */
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
  throw new Error(`the command is not a list: ${json}`)
}
