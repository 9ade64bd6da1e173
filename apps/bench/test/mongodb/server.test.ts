import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../src/mongodb/scratch-uri.ts'
import { hasTransactions } from '../../src/mongodb/server.ts'

describe('a URI with another database', () => {
  test.each([
    ['mongodb://127.0.0.1:27017/', 'mongodb://127.0.0.1:27017/bench'],
    ['mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/bench'],
    ['mongodb://a:1,b:2/auctions?replicaSet=rs', 'mongodb://a:1,b:2/bench?replicaSet=rs'],
    ['mongodb://a:1?replicaSet=rs', 'mongodb://a:1/bench?replicaSet=rs'],
    ['mongodb+srv://cluster.example', 'mongodb+srv://cluster.example/bench'],
    // Credentials are looked up in the database that the path named before, or in admin when it named none.
    ['mongodb://me:secret@a/auctions', 'mongodb://me:secret@a/bench?authSource=auctions'],
    ['mongodb://me:secret@a/?tls=true', 'mongodb://me:secret@a/bench?tls=true'],
    ['mongodb://me:secret@a/auctions?authSource=admin', 'mongodb://me:secret@a/bench?authSource=admin'],
  ])('%s becomes %s', (uri, expected) => {
    expect(withDatabase(uri, 'bench')).toBe(expected)
  })

  test('is not made of another text, which is not repeated', () => {
    expect(() => withDatabase('postgres://me:secret@a/auctions', 'bench')).toThrow(/^(?!.*secret).*must have the form/)
  })
})

describe('transactions', () => {
  test.each([
    { hello: { isWritablePrimary: true, setName: 'rs0' }, has: true },
    { hello: { isWritablePrimary: true, msg: 'isdbgrid' }, has: true },
    { hello: { isWritablePrimary: true }, has: false },
  ])('$hello: $has', ({ hello, has }) => {
    expect(hasTransactions(hello)).toBe(has)
  })
})
