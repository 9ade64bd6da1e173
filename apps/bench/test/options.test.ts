import { describe, expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'

describe('options', () => {
  test('are the real run when none is given', () => {
    const options = readOptions([], {})
    expect(options).toMatchObject({
      sections: ['domain', 'bids', 'creation', 'closing', 'processes', 'writers', 'http'],
      clients: [1, 16, 64, 256],
      seconds: 2,
      rounds: 3,
      httpRounds: 5,
      due: 10_000,
      databases: [],
    })
    expect(options).toHaveProperty('outFolder', expect.stringMatching(/docs.benchmarks$/))
  })

  test('choose sections, rounds and clients', () => {
    const args = ['--section', 'http,domain', '--memory', '--rounds', '7', '--clients', '2,8', '--seconds', '0.5']
    expect(readOptions(args, {})).toMatchObject({
      sections: ['domain', 'http', 'memory'],
      clients: [2, 8],
      seconds: 0.5,
      rounds: 7,
      httpRounds: 7,
    })
  })

  test('name the databases, or the environment does', () => {
    const environment = { MONGODB_URI: 'mongodb://environment/' }
    const databasesIn = (args: readonly string[], given = environment) => {
      const options = readOptions(args, given)
      return options === 'help' ? [] : options.databases.map((database) => Object.values(database).join(' '))
    }
    expect(databasesIn([])).toEqual([expect.stringContaining('mongodb://environment/')])
    expect(databasesIn([], { MONGODB_URI: '' })).toEqual([])
    expect(databasesIn(['--mongodb', 'one=mongodb://a/', '--mongodb', 'two=mongodb://b/'])).toEqual([
      expect.stringContaining('mongodb://a/'),
      expect.stringContaining('mongodb://b/'),
    ])
    expect(() => databasesIn(['--mongodb', 'one=mongodb://a/', '--mongodb', 'one=mongodb://b/'])).toThrow(/a name/)
  })

  test.each([
    { args: ['--section', 'disk'], complaint: /--section knows no section "disk"/ },
    { args: ['--rounds', '0'], complaint: /--rounds/ },
    { args: ['--rounds', '1.5'], complaint: /--rounds/ },
    { args: ['--seconds', 'long'], complaint: /--seconds/ },
    { args: ['--clients', '1,,3'], complaint: /--clients/ },
    { args: ['--fast'], complaint: /--fast/ },
  ])('$args is refused', ({ args, complaint }) => {
    expect(() => readOptions(args, {})).toThrow(complaint)
  })

  test('can be asked for', () => {
    expect(readOptions(['--help'], {})).toBe('help')
  })
})
