import { LRUCache } from 'lru-cache'
import type { Row, SqlValue } from './statements.ts'

/** Parses rows with a cache of the latest ones, so that repeated reads parse a row once. */
export type RowParser<Parsed> = {
  parse(row: Row): Parsed
}

/** The size of a cached row without its text, and per character of its text, parsed and unparsed; measured, rounded up. */
const objectBytes = 1_000
const bytesPerCharacter = 4

/**
 * A row begins with its id and ends with its JSON text. Equal ids and texts give equal values. Results are frozen, because
 * several callers share them.
 * @param parse checks the row, and so its id
 * @param maxBytes the estimated maximum size of the cache, which keeps the most recently used rows
 */
export function createRowParser<Parsed extends { readonly id: number }>(
  parse: (row: Row) => Parsed,
  maxBytes: number,
): RowParser<Parsed> {
  const rows = new LRUCache<number, { readonly text: SqlValue | undefined; readonly parsed: Parsed }>({
    maxSize: maxBytes,
    sizeCalculation: ({ text }) => objectBytes + bytesPerCharacter * String(text).length,
  })

  return {
    parse(row) {
      const text = row.at(-1)
      const found = rows.get(Number(row[0]))
      if (found !== undefined && found.text === text) return found.parsed
      const parsed = frozen(parse(row))
      rows.set(parsed.id, { text, parsed })
      return parsed
    },
  }
}

function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}
