import { globSync, readFileSync } from 'node:fs'
import rules from './words.json' with { type: 'json' }

// Refuses words and constructions that are not plain English. `words` applies to all text, `names` only to identifiers.

type Rule = { readonly pattern: RegExp; readonly better: string }

// A phrase may continue on the next line of a comment.
const acrossLines = String.raw`(?:\s+(?:(?:\*|//)\s+)?)`

const ofWords = Object.entries(rules.words).map(
  ([words, better]): Rule => ({ pattern: new RegExp(`\\b(?:${words.replaceAll(' ', acrossLines)})\\b`, 'gi'), better }),
)
// An identifier is declared, typed, called, accessed or a property.
const ofNames = Object.entries(rules.names).map(
  ([names, better]): Rule => ({
    pattern: new RegExp(
      String.raw`(?<=\b(?:const|let|function|type|readonly) |\.)(?:${names})\b|\b(?:${names})(?=[(:<]|\?:)`,
      'g',
    ),
    better,
  }),
)

function findingsIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  const applicable = file.endsWith('.ts') ? [...ofWords, ...ofNames] : ofWords
  return applicable.flatMap(({ pattern, better }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line}: "${found.replaceAll(/\s+/g, ' ')}" is not plain English; use: ${better}`
    }),
  )
}

const findings = globSync(process.argv.length > 2 ? process.argv.slice(2) : rules.paths).flatMap(findingsIn)
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.exitCode = findings.length > 0 ? 1 : 0
