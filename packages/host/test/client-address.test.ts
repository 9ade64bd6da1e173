import { describe, expect, test } from 'vitest'
import { createPeerAddress } from '../src/security/client-address.ts'

describe('the address that a connection counts for', () => {
  const unknown = createPeerAddress(undefined)
  const ranges = createPeerAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'])
  const hops = createPeerAddress(1)

  test.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.7', undefined],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7', undefined],
    ['2001:db9:1:2:3:4:5:6', '2001:db9:1:2::/64', '2001:db9:1:2::/64', undefined],
    ['10.1.2.3', '10.1.2.3', undefined, undefined],
    ['::ffff:10.1.2.3', '10.1.2.3', undefined, undefined],
    ['192.0.2.1', '192.0.2.1', undefined, undefined],
    ['2001:db8::1', '2001:db8::/64', undefined, undefined],
    ['::1', '::/64', undefined, undefined],
    [undefined, undefined, undefined, undefined],
  ])('%s: %s; behind proxies by range %s, by hops %s', (remoteAddress, ...expected) => {
    expect([unknown, ranges, hops].map((addressOf) => addressOf({ remoteAddress }))).toEqual(expected)
  })
})
