import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configurationInImage, endsWithinSeconds, heapMiBOf } from './settings-of.ts'

const secret = 'q8Yw3Zr1Tt5Kx9Lm2Np7Vb4Hs6Df0GjA'

// Whether it is valid by the schema of Compose, a linter of .ci tells.
const { services, volumes } = parse(
  readFileSync('compose.yaml', 'utf8')
    .replaceAll(/\$\{JWT_SECRET:\?[^}]*\}/g, secret)
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
)

describe('compose.yaml', () => {
  const configuration = configurationInImage(services.auctions.environment)

  test('gives settings that the service knows, with the database and the Redis that it starts', () => {
    expect(configuration.store).toMatchObject({ kind: 'mongodb', uri: expect.stringContaining('//mongodb:27017/') })
    expect(services.auctions.environment.RATE_LIMIT_REDIS_URL).toBe('redis://redis:6379')
    expect(services.auctions.depends_on).toEqual({
      mongodb: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    })
  })

  test('publishes the port of the service to this machine alone', () => {
    expect(services.auctions.ports).toEqual([`127.0.0.1:3000:${configuration.port}`])
    expect(services.mongodb.ports).toBeUndefined()
    expect(services.redis.ports).toBeUndefined()
  })

  test('gives the service the time to end', () => {
    expect(services.auctions.stop_grace_period).toMatch(/^\d+s$/)
    expect(Number.parseInt(services.auctions.stop_grace_period, 10)).toBeGreaterThanOrEqual(
      endsWithinSeconds(configuration),
    )
  })

  test('starts the service as the image does, with twice the memory of its heap', () => {
    expect(services.auctions).not.toHaveProperty('entrypoint')
    expect(services.auctions).not.toHaveProperty('command')
    expect(services.auctions.mem_limit).toBe(`${(2 * heapMiBOf(services.auctions.environment)) / 1024}g`)
  })

  test('names exact versions of images', () => {
    expect([services.mongodb.image, services.redis.image]).toEqual([
      expect.stringMatching(/:\d+\.\d+\.\d+/),
      expect.stringMatching(/:\d+\.\d+\.\d+/),
    ])
  })

  test('keeps what the database stores in volumes', () => {
    expect(services.mongodb.volumes).toEqual(Object.keys(volumes).map((name) => expect.stringContaining(`${name}:/`)))
  })
})

describe('the health check of the replica set', () => {
  const script = services.mongodb.healthcheck.test.at(-1)

  /** Runs it as mongosh would, on a server that answers so. */
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

  test('initiates a set that is new, under the name by which the service reaches it', () => {
    expect(check({ statusError: 'NotYetInitialized', isPrimary: false })).toEqual({
      initiated: [{ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] }],
      codes: [1],
    })
    expect(services.mongodb.command).toEqual(['--replSet', 'rs0', '--bind_ip_all'])
  })

  test('passes when the set takes writes, and not before', () => {
    expect(check({ isPrimary: true })).toEqual({ initiated: [], codes: [] })
    expect(check({ isPrimary: false })).toEqual({ initiated: [], codes: [1] })
  })

  test('fails on any other error, and initiates nothing', () => {
    expect(() => check({ statusError: 'Unauthorized', isPrimary: false })).toThrow('Unauthorized')
  })
})
