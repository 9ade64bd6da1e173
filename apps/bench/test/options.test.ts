import { describe, expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'

const uri = 'mongodb://me:secret@a/'

describe('the stores', () => {
  const storesOf = (args: readonly string[], environment = {}) => {
    const options = readOptions(args, environment)
    return options === 'help' ? options : options.stores
  }

  test('are by default those of this process, and the servers that the environment names', () => {
    const local = [
      { kind: 'memory', uri: '' },
      { kind: 'sqlite', uri: '' },
    ]
    expect(storesOf([])).toEqual(local)
    expect(storesOf([], { MONGODB_URI: uri })).toEqual([...local, { kind: 'mongodb', uri }])
  })

  test('can be listed', () => {
    expect(storesOf(['--store', 'mongodb', '--store', 'sqlite'], { MONGODB_URI: uri })).toEqual([
      { kind: 'mongodb', uri },
      { kind: 'sqlite', uri: '' },
    ])
  })
})

test.each([
  [['--store', 'mongodb'], /MONGODB_URI/],
  [['--store', 'nosuch'], /one of memory/],
  [['--section', 'nosuch'], /one of bids/],
  [['--seconds', '0'], /above 0/],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args, {})).toThrow(message)
})
