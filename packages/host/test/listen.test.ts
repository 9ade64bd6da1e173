import { expect, test } from 'vitest'
import { reachedAt } from '../src/server/listen.ts'

test.each([
  ['0.0.0.0', '0.0.0.0', 'http://127.0.0.1:80', true],
  ['0', '0.0.0.0', 'http://127.0.0.1:80', true],
  ['::', '::', 'http://[::1]:80', true],
  ['0:0::0', '::', 'http://[::1]:80', true],
  ['::1', '::1', 'http://[::1]:80', false],
  ['localhost', '127.0.0.1', 'http://localhost:80', false],
  ['192.0.2.7', '192.0.2.7', 'http://192.0.2.7:80', false],
])('HOST=%s, bound to %s, is reached at %s', (host, address, url, onEveryInterface) => {
  expect(reachedAt(host, { address, port: 80 })).toEqual({ url, onEveryInterface })
})
