import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/mongodb/address.ts'

describe('a connection string', () => {
  test.each([
    ['mongodb://localhost', 'localhost', 'auctions'],
    ['mongodb://localhost/', 'localhost', 'auctions'],
    ['mongodb://localhost:27017/house', 'localhost:27017', 'house'],
    ['mongodb://a:1,b:2,c:3/house?replicaSet=rs0', 'a:1,b:2,c:3', 'house'],
    ['mongodb://localhost:1?directConnection=true', 'localhost:1', 'auctions'],
    ['mongodb://localhost/?directConnection=true', 'localhost', 'auctions'],
    ['mongodb://user:secret@localhost/house', 'localhost', 'house'],
    ['mongodb+srv://user:secret@cluster.example.com/', 'cluster.example.com', 'auctions'],
    ['mongodb://[::1]:27017/house', '[::1]:27017', 'house'],
    ['mongodb://localhost/my%20house', 'localhost', 'my house'],
  ])('%s names hosts and database', (uri, hosts, database) => {
    expect(parseAddress(uri)).toMatchObject({ hosts, database })
  })

  test.each([
    ['mongodb://localhost/house', []],
    ['mongodb://user:secret@localhost/', ['user:secret', 'secret']],
    ['mongodb://user:p%40ss@localhost/', ['user:p%40ss', 'user:p@ss', 'p%40ss', 'p@ss']],
    ['mongodb://token@localhost/', ['token']],
    ['mongodb://a/?tls=true&tlsCertificateKeyFilePassword=s%2Fx&proxyPassword=y', ['s%2Fx', 's/x', 'y']],
    ['mongodb://a/?authMechanismProperties=AWS_SESSION_TOKEN:abc', ['AWS_SESSION_TOKEN:abc']],
    ['mongodb://a/?proxyPassword=a=b==', ['a=b==']],
  ])('%s has these secrets', (uri, secrets) => {
    expect(new Set(parseAddress(uri).secrets)).toStrictEqual(new Set(secrets))
  })

  test.each([
    '',
    'localhost:27017',
    'http://user:secret@localhost/',
    'mongodb:/user:secret@localhost/',
    ' mongodb://user:secret@localhost/',
    'see mongodb://localhost/secret',
    'mongodb://',
    'mongodb://user:secret@',
    'mongodb://user:secret@/house',
    'mongodb://user:sec@ret@localhost/',
    'mongodb://user:1234/secret@localhost/',
    'mongodb://user:1234?secret@localhost/',
    'mongodb://user:1234#secret@localhost/',
    'mongodb://user:12@34/secret@localhost/',
    'mongodb://user:secret@localhost/100%',
    'mongodb://user:%secret@localhost/',
  ])('%s is refused without repeating any part of it', (uri) => {
    const error = thrownBy(() => parseAddress(uri))
    expect(error).toEqual(
      new Error(
        'the MongoDB URI must have the form mongodb://[user:password@]host[:port][/database][?options], ' +
          'with user, password and options percent-encoded',
      ),
    )
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/secret|1234|12@34/)
  })
})

function thrownBy(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}
