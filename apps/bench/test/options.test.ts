import { describe, expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'

describe('options', () => {
  test('are the real run when none is given', () => {
    const options = readOptions([], {})
    expect(options).toMatchObject({
      sections: ['domain', 'mongodb', 'http'],
      clients: [1, 16, 64, 256],
      seconds: 2,
      rounds: 3,
      httpRounds: 5,
      mongodbUri: undefined,
    })
    expect(options).toHaveProperty('outFolder', expect.stringMatching(/docs.benchmarks$/))
  })

  test('choose sections, rounds and clients', () => {
    const args = ['--only', 'http,domain', '--memory', '--rounds', '7', '--clients', '2,8', '--seconds', '0.5']
    expect(readOptions(args, {})).toMatchObject({
      sections: ['domain', 'http', 'memory'],
      clients: [2, 8],
      seconds: 0.5,
      rounds: 7,
      httpRounds: 7,
    })
  })

  test('name the database, or the environment does', () => {
    const environment = { MONGODB_URI: 'mongodb://environment/' }
    expect(readOptions([], environment)).toHaveProperty('mongodbUri', 'mongodb://environment/')
    expect(readOptions(['--mongodb', 'mongodb://option/'], environment)).toHaveProperty(
      'mongodbUri',
      'mongodb://option/',
    )
    expect(readOptions([], { MONGODB_URI: '' })).toHaveProperty('mongodbUri', undefined)
  })

  test.each([
    { args: ['--only', 'disk'], complaint: /--only knows no section "disk"/ },
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
