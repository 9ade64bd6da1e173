import { expect, test } from 'vitest'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import type { Row } from '../../src/sqlite/statements.ts'

type Word = { readonly id: number; readonly text: string; readonly letters: readonly string[] }

/** A parser that counts its calls. */
function wordParser(maxBytes: number) {
  let parsed = 0
  function parse(row: Row): Word {
    const [id, text] = [row[0], row.at(-1)]
    parsed += 1
    return { id: Number(id), text: String(text), letters: [...String(text)] }
  }
  return { parse: createRowParser(parse, maxBytes), parsed: () => parsed }
}

test('a row that is read twice is parsed once', () => {
  const { parse, parsed } = wordParser(10_000)
  const first = parse([1, 'vase'])
  expect(first).toEqual({ id: 1, text: 'vase', letters: ['v', 'a', 's', 'e'] })
  expect(parse([1, 'vase'])).toBe(first)
  expect(parsed()).toBe(1)
})

test('a changed text is parsed again', () => {
  const { parse, parsed } = wordParser(10_000)
  parse([1, 'vase'])
  expect(parse([1, 'desk']).text).toBe('desk')
  expect(parse([2, 'desk']).id).toBe(2)
  expect(parsed()).toBe(3)
})

test('a row with another changed column is parsed again', () => {
  const { parse, parsed } = wordParser(10_000)
  for (const key of ['a', 'b', 'b']) parse([1, key, 'vase'])
  expect(parsed()).toBe(2)
})

test('the cache keeps the most recently used rows, up to its size', () => {
  const { parse, parsed } = wordParser(3_500)
  for (const id of [1, 2, 3]) parse([id, 'vase'])
  parse([1, 'vase'])
  parse([4, 'vase'])
  expect(parsed()).toBe(4)
  for (const id of [1, 3, 4]) parse([id, 'vase'])
  expect(parsed()).toBe(4)
  parse([2, 'vase'])
  expect(parsed()).toBe(5)
  // A long text takes the space of several, and a text longer than the cache is not cached.
  for (const id of [5, 5]) parse([id, 'x'.repeat(500)])
  expect(parsed()).toBe(6)
  for (const id of [6, 6]) parse([id, 'x'.repeat(1_000)])
  expect(parsed()).toBe(8)
  parse([5, 'x'.repeat(500)])
  expect(parsed()).toBe(8)
  parse([2, 'vase'])
  expect(parsed()).toBe(9)
})

test('callers cannot change cached rows', () => {
  const { parse } = wordParser(10_000)
  const word = parse([1, 'vase'])
  expect(Reflect.set(word, 'text', 'desk')).toBe(false)
  expect(Reflect.set(word.letters, 0, 'd')).toBe(false)
})
