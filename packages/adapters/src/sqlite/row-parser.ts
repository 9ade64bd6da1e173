import { LRUCache } from 'lru-cache'
import type { Row, SqlValue } from './statements.ts'

/** Parses rows, and remembers the latest: what is read again and again is parsed once. */
export type RowParser<Parsed> = {
  parse(row: Row): Parsed
}

/** What a remembered row takes beside its text, and what each character of that takes, parsed as well; measured, and rounded up. */
const objectBytes = 1_000
const bytesPerCharacter = 4

/**
 * A row is its id first and its JSON text last; under one id, the same text is the same value. What is returned is frozen, as
 * several callers get it.
 * @param parse checks the row, and so its id
 * @param maxBytes how much is remembered, the most recently used, as an estimate
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
