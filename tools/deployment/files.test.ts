import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dockerfile } from '../image/dockerfile.ts'
import { configurationIn, configurationInImage, endsWithinSeconds, heapMiBOf } from './settings-of.ts'

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
  { title: 'the Dockerfile', command: dockerfile.entrypoint.join(' ') },
  {
    title: 'the systemd unit',
    command: /^ExecStart=(.*)$/m.exec(readFileSync('docs/how-to/examples/auctions.service', 'utf8'))?.[1],
  },
  { title: 'pnpm start', command: JSON.parse(readFileSync('package.json', 'utf8')).scripts.start },
])('$title starts the service without the debugger of SIGUSR1', ({ command }) => {
  expect(command).toMatch(/^\S*node --disable-sigusr1 /)
})

const secret = 'q8Yw3Zr1Tt5Kx9Lm2Np7Vb4Hs6Df0GjA'

// A linter of .ci checks the schema of Compose.
const { services, volumes } = parse(
  readFileSync('compose.yaml', 'utf8')
    .replaceAll(/\$\{JWT_SECRET:\?[^}]*\}/g, secret)
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  { merge: true },
)

describe.each([
  { name: 'auctions', database: 'mongodb', address: '//mongodb:27017/auctions?replicaSet=rs0', ports: [3000, 9464] },
  {
    name: 'auctions-on-postgresql',
    database: 'postgresql',
    address: '//auctions@postgresql/auctions',
    ports: [3001, 9465],
  },
])('compose.yaml: $name', ({ name, database, address, ports }) => {
  const service = services[name]
  const configuration = configurationInImage(service.environment)

  test('has valid settings, for the database and the Redis that it starts', () => {
    expect(configuration.store).toMatchObject({ kind: database, uri: expect.stringContaining(address) })
    expect(service.environment.RATE_LIMIT_REDIS_URL).toMatch(/^redis:\/\/redis:6379/)
    expect(service.depends_on).toEqual({
      [database]: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    })
    expect(services[database].profiles).toEqual(service.profiles)
  })

  test('publishes the ports of the service only to this machine', () => {
    const { port, admin } = configuration
    expect(service.ports).toEqual([`127.0.0.1:${ports[0]}:${port}`, `127.0.0.1:${ports[1]}:${admin?.port}`])
    expect(admin?.host).toBe('0.0.0.0')
    expect(services[database].ports).toBeUndefined()
    expect(services.redis.ports).toBeUndefined()
  })

  test('gives the service time to stop', () => {
    expect(service.stop_grace_period).toMatch(/^\d+s$/)
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(endsWithinSeconds(configuration))
  })

  test('starts the service as the image does, with twice the memory of its heap', () => {
    expect(service).not.toHaveProperty('entrypoint')
    expect(service).not.toHaveProperty('command')
    expect(service.mem_limit).toBe(`${(2 * heapMiBOf(service.environment)) / 1024}g`)
  })

  test('names exact versions of images', () => {
    // A release of PostgreSQL has two numbers.
    const exact = database === 'postgresql' ? /:\d+\.\d+/ : /:\d+\.\d+\.\d+/
    expect(services[database].image).toMatch(exact)
    expect(services.redis.image).toMatch(/:\d+\.\d+\.\d+/)
  })

  test('keeps the data of the database in volumes', () => {
    const theirs = Object.keys(volumes).filter((volume) => volume.startsWith(database))
    expect(theirs.length).toBeGreaterThan(0)
    expect(services[database].volumes).toEqual(theirs.map((volume) => expect.stringContaining(`${volume}:/`)))
  })
})

describe('the health check of the replica set', () => {
  const script = services.mongodb.healthcheck.test.at(-1)

  /** Runs it as mongosh does, on a server in this state. */
  function check({ statusError, isPrimary }: { readonly statusError?: string; readonly isPrimary: boolean }) {
    const initiated: unknown[] = []
    const codes: number[] = []
    const rs = {
      status() {
        if (statusError !== undefined) throw Object.assign(new Error(statusError), { codeName: statusError })
      },
      initiate: (configuration: unknown) => initiated.push(configuration),
    }
    const db = { hello: () => ({ isWritablePrimary: isPrimary }) }
    runInContext(script, createContext({ rs, db, quit: (code: number) => codes.push(code) }))
    return { initiated, codes }
  }

  test('initiates a new set, under the host name that the service uses', () => {
    expect(check({ statusError: 'NotYetInitialized', isPrimary: false })).toEqual({
      initiated: [{ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] }],
      codes: [1],
    })
    expect(services.mongodb.command).toEqual(['--replSet', 'rs0', '--bind_ip_all'])
  })

  test('passes only once the set accepts writes', () => {
    expect(check({ isPrimary: true })).toEqual({ initiated: [], codes: [] })
    expect(check({ isPrimary: false })).toEqual({ initiated: [], codes: [1] })
  })

  test('fails on any other error without an initiation', () => {
    expect(() => check({ statusError: 'Unauthorized', isPrimary: false })).toThrow('Unauthorized')
  })
})
