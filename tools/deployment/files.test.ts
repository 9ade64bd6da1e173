import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { configurationIn, endsWithinSeconds } from './settings-of.ts'

test('the Dockerfile has no faults', () => {
  expect(validate(readFileSync('Dockerfile', 'utf8'))).toEqual([])
})

test('the unit of systemd gives settings that the service knows, and the time to end', () => {
  const unit = readFileSync('docs/how-to/examples/auctions.service', 'utf8')
  const assignments = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) => text.split(' '))
  const environment = Object.fromEntries(assignments.map((text) => text.split(/=(.*)/s)))
  // The key stands in a file of its own.
  const configuration = configurationIn({ ...environment, JWT_JWKS_URL: 'https://id.example.com/jwks' })
  expect(configuration).toMatchObject({ store: { kind: 'sqlite', file: '/var/lib/auctions/auctions.sqlite' } })
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(endsWithinSeconds(configuration))
})
