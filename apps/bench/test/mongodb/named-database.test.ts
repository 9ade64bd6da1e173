import { describe, expect, test } from 'vitest'
import { parseDatabase } from '../../src/mongodb/named-database.ts'

describe('a database to measure on', () => {
  test.each([
    ['mongodb://a:1/?replicaSet=rs', { name: 'MongoDB', uri: 'mongodb://a:1/?replicaSet=rs' }],
    ['FerretDB 1=mongodb://a:1/?replicaSet=rs', { name: 'FerretDB 1', uri: 'mongodb://a:1/?replicaSet=rs' }],
    ['cloud=mongodb+srv://me:secret@a/', { name: 'cloud', uri: 'mongodb+srv://me:secret@a/' }],
    [
      'mongo-java-server=exec serve -listen "127.0.0.1:$PORT"',
      { name: 'mongo-java-server', command: 'exec serve -listen "127.0.0.1:$PORT"' },
    ],
  ])('%s', (text, database) => {
    expect(parseDatabase(text)).toEqual(database)
  })

  test('is not named by another text, which is not repeated', () => {
    expect(() => parseDatabase('postgres://me:secret@a/')).toThrow(/^(?!.*secret).*NAME=URI/)
  })
})
