import type { Row, SqlValue } from './values.ts'

/** Parses rows, and remembers the latest: what is read again and again is parsed once. */
export type RowParser<Parsed> = {
  parse(row: Row): Parsed
  /** What was parsed of the row of this id, if it is remembered. */
  remembered(id: number): Parsed | undefined
}

/**
 * A row is its id first and its JSON text last; under one id, the same text is the same value. What is returned is frozen, as
 * several callers get it.
 * @param parse checks the row, and so its id
 * @param maxRows how many are remembered, the most recently used
 */
export function createRowParser<Parsed extends { readonly id: number }>(
  parse: (row: Row) => Parsed,
  maxRows: number,
): RowParser<Parsed> {
  // A map goes through its keys in the order in which they were set.
  const rows = new Map<number, { readonly text: SqlValue | undefined; readonly parsed: Parsed }>()

  function recall(id: number) {
    const found = rows.get(id)
    if (found !== undefined) {
      rows.delete(id)
      rows.set(id, found)
    }
    return found
  }

  function remember(text: SqlValue | undefined, parsed: Parsed): void {
    rows.delete(parsed.id)
    rows.set(parsed.id, { text, parsed })
    const [oldest] = rows.size > maxRows ? rows.keys() : []
    if (oldest !== undefined) rows.delete(oldest)
  }

  return {
    parse(row) {
      const text = row.at(-1)
      const found = recall(Number(row[0]))
      if (found !== undefined && found.text === text) return found.parsed
      const parsed = frozen(parse(row))
      remember(text, parsed)
      return parsed
    },
    remembered: (id) => recall(id)?.parsed,
  }
}

function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}
