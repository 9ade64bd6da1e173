import { describe, expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'

describe('options', () => {
  test('are the real run when none is given', () => {
    const options = readOptions([], {})
    expect(options).toMatchObject({
      sections: ['domain', 'sqlite', 'bids', 'creation', 'closing', 'processes', 'writers', 'http', 'parts', 'start'],
      clients: [1, 16, 64, 256],
      seconds: 2,
      rounds: 3,
      httpRounds: 5,
      databases: [],
      due: 10_000,
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
    expect(readOptions([], environment)).toHaveProperty('databases', [
      { name: 'MongoDB', uri: 'mongodb://environment/' },
    ])
    const args = ['--mongodb', 'one=mongodb://a/', '--mongodb', 'two=exec mongod --dbpath "$DATA" --port "$PORT"']
    expect(readOptions(args, environment)).toHaveProperty('databases', [
      { name: 'one', uri: 'mongodb://a/' },
      { name: 'two', command: 'exec mongod --dbpath "$DATA" --port "$PORT"' },
    ])
    expect(readOptions([], { MONGODB_URI: '' })).toHaveProperty('databases', [])
  })

  test.each([
    { args: ['--section', 'disk'], complaint: /--section knows no section "disk"/ },
    { args: ['--rounds', '0'], complaint: /--rounds/ },
    { args: ['--rounds', '1.5'], complaint: /--rounds/ },
    { args: ['--seconds', 'long'], complaint: /--seconds/ },
    { args: ['--clients', '1,,3'], complaint: /--clients/ },
    { args: ['--due', '-1'], complaint: /--due/ },
    { args: ['--mongodb', 'mongodb://a/', '--mongodb', 'mongodb://b/'], complaint: /a name of its own/ },
    { args: ['--mongodb', 'exec mongod'], complaint: /NAME=COMMAND/ },
    { args: ['--fast'], complaint: /--fast/ },
  ])('$args is refused', ({ args, complaint }) => {
    expect(() => readOptions(args, {})).toThrow(complaint)
  })

  test('can be asked for', () => {
    expect(readOptions(['--help'], {})).toBe('help')
  })
})
