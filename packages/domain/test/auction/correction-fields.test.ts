import { describe, expect, test } from 'vitest'
import { parseCorrection } from '../../src/auction/commands.ts'
import { errorsOf } from '../support.ts'

describe('a correction', () => {
  test.each([
    [{ title: 'x' }],
    [{ description: '' }],
    [{ title: null }],
    [{ title: '😀'.repeat(200), description: '😀'.repeat(10_000) }],
    [{ title: null, description: null }],
  ])('is parsed from %j', (input) => {
    expect(parseCorrection(input)).toStrictEqual({ ok: true, value: input })
  })

  test.each([
    [undefined, ['']],
    [null, ['']],
    [['x'], ['']],
    [{}, ['']],
    [{ title: '' }, ['/title']],
    [{ title: 'x'.repeat(201) }, ['/title']],
    [{ title: '\ud800', description: 'x'.repeat(10_001) }, ['/title', '/description']],
    [{ description: 7 }, ['/description']],
    [{ title: 'x', endTime: '2030-01-31T12:00:00Z' }, ['/endTime']],
  ])('is refused for %j', (input, expected) => {
    expect(errorsOf(parseCorrection(input)).map(({ pointer }) => pointer)).toEqual(expected)
  })

  test('states what it needs if it is empty', () => {
    expect(errorsOf(parseCorrection({}))).toEqual([
      { pointer: '', message: 'must contain a title, a description or both' },
    ])
  })
})
