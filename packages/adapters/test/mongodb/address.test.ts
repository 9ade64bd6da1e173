import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/mongodb/address.ts'

describe('a connection string', () => {
  test.each([
    { uri: 'mongodb://localhost', hosts: 'localhost', database: 'auctions' },
    { uri: 'mongodb://localhost/', hosts: 'localhost', database: 'auctions' },
    { uri: 'mongodb://localhost:27017/house', hosts: 'localhost:27017', database: 'house' },
    { uri: 'mongodb://a:1,b:2,c:3/house?replicaSet=rs0', hosts: 'a:1,b:2,c:3', database: 'house' },
    { uri: 'mongodb://localhost:1?directConnection=true', hosts: 'localhost:1', database: 'auctions' },
    { uri: 'mongodb://localhost/?directConnection=true', hosts: 'localhost', database: 'auctions' },
    { uri: 'mongodb://user:secret@localhost/house', hosts: 'localhost', database: 'house' },
    { uri: 'mongodb+srv://user:secret@cluster.example.com/', hosts: 'cluster.example.com', database: 'auctions' },
    { uri: 'mongodb://[::1]:27017/house', hosts: '[::1]:27017', database: 'house' },
    { uri: 'mongodb://localhost/my%20house', hosts: 'localhost', database: 'my house' },
  ])('$uri names hosts and database', ({ uri, hosts, database }) => {
    expect(parseAddress(uri)).toMatchObject({ hosts, database })
  })

  test.each([
    { uri: 'mongodb://localhost/house', secrets: [] },
    { uri: 'mongodb://user:secret@localhost/', secrets: ['secret'] },
    { uri: 'mongodb://user:p%40ss@localhost/', secrets: ['p%40ss', 'p@ss'] },
    { uri: 'mongodb://auctions@localhost/', secrets: [] },
    {
      uri: 'mongodb://a/?tls=true&tlsCertificateKeyFilePassword=s%2Fx&proxyPassword=y',
      secrets: ['s%2Fx', 's/x', 'y'],
    },
    { uri: 'mongodb://a/?authMechanismProperties=AWS_SESSION_TOKEN:abc', secrets: ['AWS_SESSION_TOKEN:abc'] },
    { uri: 'mongodb://a/?proxyPassword=a=b==', secrets: ['a=b=='] },
  ])('$uri has these secrets', ({ uri, secrets }) => {
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
