import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webhookTypes } from '../../src/configuration/webhooks.ts'
import { secret as jwtSecret } from '../support/tokens.ts'
import { configurationOf, errorsOf, read } from './reading.ts'

const [old, current] = [randomBytes(24), randomBytes(64)] as [Buffer, Buffer]
const secretOf = (key: Buffer) => `whsec_${key.toString('base64')}`
const secret = secretOf(old)
const url = 'https://shop.example/hooks'
const both = { WEBHOOK_URL: url, WEBHOOK_SECRET: secret }

const webhooksOf = (environment: Readonly<Record<string, string>>, file: object = {}) =>
  configurationOf(read(environment, file)).webhooks
const refusalsOf = (environment: Readonly<Record<string, string>>, file: object = {}) =>
  errorsOf(read(environment, file))

describe('one endpoint', () => {
  test('receives all types by default', () => {
    const endpoint = { name: 'default', url: new URL(url), secrets: [old], types: webhookTypes, hasPseudonyms: false }
    expect(webhooksOf(both)).toEqual([endpoint])
  })

  test('has two secrets while one is replaced', () => {
    const WEBHOOK_SECRET = `${secretOf(current)} ${secret}`
    expect(webhooksOf({ ...both, WEBHOOK_SECRET })).toMatchObject([{ secrets: [current, old] }])
  })

  test.each([
    '',
    'a secret of this form is not base64',
    secret.replace('whsec_', ''),
    secretOf(randomBytes(23)),
    secretOf(randomBytes(65)),
    `${secret} ${secretOf(randomBytes(16))}`,
    `${secret}${secret}`,
    `${secret} ${secret} ${secret}`,
    `${secret} `,
    `${secret}\n`,
  ])('has no secret of the form %j', (WEBHOOK_SECRET) => {
    const [fault = '', ...others] = refusalsOf({ ...both, WEBHOOK_SECRET })
    expect(fault).toMatch(
      /^WEBHOOK_SECRET \(environment\): must be whsec_ followed by 24 to 64 random bytes.*openssl rand/,
    )
    expect(others).toEqual([])
  })

  test.each(['', 'shop.example', 'ftp://shop.example', 'https://anna:hunter2@shop.example'])(
    'has no URL of the form %j',
    (WEBHOOK_URL) => {
      expect(refusalsOf({ ...both, WEBHOOK_URL })).toEqual([
        expect.stringMatching(/^WEBHOOK_URL \(environment\): must /),
      ])
    },
  )

  test.each(['', 'auction.sold', 'auction.bid,', 'bid'])('receives no types of the form %j', (WEBHOOK_EVENTS) => {
    expect(refusalsOf({ ...both, WEBHOOK_EVENTS })).toEqual([
      expect.stringMatching(/^WEBHOOK_EVENTS \(environment\): must be one or more of auction\.created, /),
    ])
  })

  test.each([
    [{ WEBHOOK_URL: url }, 'WEBHOOK_URL (environment): must not be set without WEBHOOK_SECRET'],
    [{ WEBHOOK_SECRET: secret }, 'WEBHOOK_SECRET (environment): must not be set without WEBHOOK_URL'],
    [
      { WEBHOOK_EVENTS: 'auction.bid' },
      'WEBHOOK_EVENTS (environment): must not be set without WEBHOOK_URL and WEBHOOK_SECRET',
    ],
  ])('is complete: %j is refused', (environment, fault) => {
    expect(refusalsOf(environment)).toEqual([fault])
  })
})

describe('several endpoints', () => {
  const shop = { name: 'shop', url, secret }
  const search = { name: 'search-2', url: 'http://localhost:7000/', secret, events: ['auction.created'] }
  const PSEUDONYM_SECRET = 'a secret for pseudonyms, of 32 bytes'

  test.each<[where: string, given: Parameters<typeof webhooksOf>]>([
    ['in the file', [{ PSEUDONYM_SECRET }, { WEBHOOKS: [{ ...shop, pseudonyms: true }, search] }]],
    ['in the environment', [{ PSEUDONYM_SECRET, WEBHOOKS: JSON.stringify([{ ...shop, pseudonyms: true }, search]) }]],
  ])('are a JSON array %s', (_where, given) => {
    expect(webhooksOf(...given)).toEqual([
      { name: 'shop', url: new URL(url), secrets: [old], types: webhookTypes, hasPseudonyms: true },
      { name: 'search-2', url: new URL(search.url), secrets: [old], types: ['auction.created'], hasPseudonyms: false },
    ])
  })

  const listRule = /^WEBHOOKS \(auction\.json\): must be a JSON array of 1 to 20 objects/
  test.each<[what: string, list: unknown, fault: RegExp]>([
    ['an object', shop, listRule],
    ['no endpoint', [], listRule],
    ['21 endpoints', Array.from({ length: 21 }, (_, index) => ({ ...shop, name: `shop-${index}` })), listRule],
    ['two with one name', [shop, shop], /: must have a different name for each endpoint$/],
    ['a number', [1], /: 0: must be an object with name, url, secret and, optionally, events and pseudonyms$/],
    ['no secret', [{ name: 'shop', url }], /: 0: secret: is required$/],
    [
      'another member',
      [shop, { ...search, color: 'red' }],
      /: 1: color: is not a known member; known members are name, url, secret, events, pseudonyms$/,
    ],
    ['an invalid name', [{ ...shop, name: 'Shop' }], /: 0: name: must be 1 to 32 of the characters a-z, 0-9 and -$/],
    ['an invalid secret', [{ ...shop, secret: 'hunter2' }], /: 0: secret: must be whsec_/],
    ['an invalid URL', [{ ...shop, url: 'shop.example' }], /: 0: url: must be a URL/],
    ['an unknown type', [{ ...shop, events: ['auction.sold'] }], /: 0: events: 0: must be one of auction\./],
    ['no types', [{ ...shop, events: [] }], /: 0: events: must be a list of one or more of auction\./],
    ['no truth value', [{ ...shop, pseudonyms: 'yes' }], /: 0: pseudonyms: must be true or false$/],
    [
      'pseudonyms that the service does not have',
      [shop, { ...search, pseudonyms: true }],
      /^WEBHOOKS \(auction\.json\): the pseudonyms of search-2 require PSEUDONYM_SECRET$/,
    ],
  ])('are refused with %s', (_what, list, fault) => {
    expect(refusalsOf({}, { WEBHOOKS: list })).toEqual([expect.stringMatching(fault)])
  })

  test('are refused if the text is not JSON, without repeating it', () => {
    const faults = refusalsOf({ WEBHOOKS: `[${secret}` })
    expect(faults).toEqual([expect.stringMatching(/^WEBHOOKS \(environment\): must be a JSON array/)])
    expect(faults[0]).not.toContain(secret)
  })

  test('exclude the settings of one', () => {
    expect(refusalsOf(both, { WEBHOOKS: [shop] })).toEqual([
      'WEBHOOK_URL (environment) and WEBHOOKS (auction.json): cannot be set together; keep only one of them',
    ])
  })
})

describe('in production', () => {
  const production = { NODE_ENV: 'production', JWT_SECRET: jwtSecret, STORE: 'memory' }
  const rule = 'must begin with https:// under NODE_ENV=production, except for a server on this machine'

  test('events are posted with TLS', () => {
    const plain = 'http://shop.example/hooks'
    expect(refusalsOf({ ...production, ...both, WEBHOOK_URL: plain })).toEqual([`WEBHOOK_URL (environment): ${rule}`])
    const list = [
      { name: 'shop', url, secret },
      { name: 'plain', url: plain, secret },
    ]
    expect(refusalsOf(production, { WEBHOOKS: list })).toEqual([`WEBHOOKS (auction.json): the url of plain ${rule}`])
    expect(webhooksOf({ ...both, WEBHOOK_URL: plain })).toHaveLength(1)
  })

  test('a server on the same machine needs no TLS', () => {
    expect(webhooksOf({ ...production, ...both, WEBHOOK_URL: 'http://127.0.0.1:7000/' })).toHaveLength(1)
  })
})
