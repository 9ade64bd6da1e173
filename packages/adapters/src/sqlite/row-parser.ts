import { LRUCache } from 'lru-cache'
import type { Row } from './database.ts'

export type ParseRow<Parsed> = (row: Row) => Parsed

/**
 * The size of a cached row without its columns, and per character of these, parsed and unparsed; measured, rounded up.
 */
const objectBytes = 1_000
const bytesPerCharacter = 4

/**
 * Returns a function that parses rows with a cache of the latest ones, so that repeated reads parse a row once. A row
 * begins with its id. Equal rows give the same value, which is frozen because several callers share it.
 * @param parse checks the row, and so its id
 * @param maxBytes the estimated maximum size of the cache, which keeps the most recently used rows
 */
export function createRowParser<Parsed extends { readonly id: number }>(
  parse: ParseRow<Parsed>,
  maxBytes: number,
): ParseRow<Parsed> {
  const parsedRows = new LRUCache<number, { readonly row: Row; readonly parsed: Parsed }>({
    maxSize: maxBytes,
    sizeCalculation: ({ row }) => objectBytes + bytesPerCharacter * row.join('').length,
  })

  return (row) => {
    const cached = parsedRows.get(Number(row[0]))
    if (cached?.row.every((value, column) => value === row[column])) return cached.parsed
    const parsed = frozen(parse(row))
    parsedRows.set(parsed.id, { row, parsed })
    return parsed
  }
}

function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}
