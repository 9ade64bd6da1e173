import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { dockerfile } from '../image/dockerfile.ts'
import { configurationIn, endsWithinSeconds, heapMiBOf } from './settings-of.ts'

test('the Dockerfile is valid', () => {
  expect(validate(readFileSync('Dockerfile', 'utf8'))).toEqual([])
})

test('the systemd unit has valid settings, and gives the service time to stop', () => {
  const unit = readFileSync('docs/how-to/examples/auctions.service', 'utf8')
  const assignments = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) => text.split(' '))
  const environment: Readonly<Record<string, string>> = Object.fromEntries(
    assignments.map((text) => text.split(/=(.*)/s)),
  )
  // The key is in another file.
  const configuration = configurationIn({ ...environment, JWT_JWKS_URL: 'https://id.example.com/jwks' })
  expect(configuration).toMatchObject({ store: { kind: 'sqlite', file: '/var/lib/auctions/auctions.sqlite' } })
  expect(unit).toContain(`MemoryMax=${(2 * heapMiBOf(environment)) / 1024}G\n`)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(endsWithinSeconds(configuration))
})

test.each([
  ['the Dockerfile', dockerfile.entrypoint.join(' ')],
  ['the systemd unit', /^ExecStart=(.*)$/m.exec(readFileSync('docs/how-to/examples/auctions.service', 'utf8'))?.[1]],
  ['pnpm start', JSON.parse(readFileSync('package.json', 'utf8')).scripts.start],
])('%s starts the service without the debugger of SIGUSR1', (_, command) => {
  expect(command).toMatch(/^\S*node --disable-sigusr1 /)
})
