import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runtimeFault } from '../src/process/runtime.ts'
import { clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { startProcess } from './support/server-process.ts'

const root = new URL('../../../', import.meta.url)
const manifests = globSync('{package.json,{apps,packages}/*/package.json}', { cwd: root })
const readManifest = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

describe('the minimum Node.js version', () => {
  test.each(manifests)('is the one in %s', (path) => {
    // The client runs in browsers, too, and parses no requests.
    const node = path === 'packages/client/package.json' ? '>=20' : '^24.14.1 || >=25.8.2'
    expect(readManifest(path).engines).toEqual({ node })
  })

  test.each(['24.14.1', '24.15.0', '24.21.0', '25.8.2', '25.9.0', '26.0.0', '30.1.2', process.versions.node])(
    'accepts %s',
    (version) => {
      expect(runtimeFault(version)).toBeUndefined()
    },
  )

  test.each(['20.20.2', '22.22.2', '24.0.0', '24.9.0', '24.14.0', '25.0.0', '25.8.1', '25.7.9'])(
    'refuses %s',
    (version) => {
      expect(runtimeFault(version)).toMatch(
        new RegExp(`^Node\\.js ${version} .*CVE-2026-21717.* 24\\.14\\.1 or later, or 25\\.8\\.2 or later$`),
      )
    },
  )

  test.each([[[]], [['--check']]])('is required, with one line on standard error: %j', async (args) => {
    const before = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.14.0' } })"
    const started = startProcess({}, { before, args })
    expect(await started.exited()).toBe(1)
    expect(started.stderr()).toBe(`${runtimeFault('24.14.0')}\n`)
    expect(started.stdout()).toBe('')
  })
})

/** About 64 KB of texts in an array: integers of nine digits, `step` apart. */
function bodyOfIntegers(step: number): string {
  const first = step * Math.ceil(100_000_000 / step)
  return JSON.stringify({ title: Array.from({ length: 5_400 }, (_, index) => String(first + index * step)) })
}

test('texts with colliding hashes cost about as much as other texts, unlike before the fix in Node.js', async () => {
  const server = await startServer()
  const caller = clientOf(server)
  const cpuMicrosOf = async (body: string): Promise<number> => {
    const start = process.threadCpuUsage()
    for (let times = 0; times < 10; times++) {
      expect(await caller.post('/api/Auctions', body)).toMatchObject(problem(400, 'validation-failed'))
    }
    const { user, system } = process.threadCpuUsage(start)
    return user + system
  }
  // Before the fix, the hash of an integer text was the integer, so those 2^17 apart shared one slot of the string table.
  const colliding = bodyOfIntegers(2 ** 17)
  const scattered = bodyOfIntegers(2 ** 17 + 5_017)
  expect(Buffer.byteLength(colliding)).toBeLessThan(64 * 1024)
  for (let warmUps = 0; warmUps < 3; warmUps++) await cpuMicrosOf(scattered)
  // Measured: 1 with the fix, at least 13 without. The time is the processor time of this thread, so that other processes do not
  // count.
  expect((await cpuMicrosOf(colliding)) / (await cpuMicrosOf(scattered))).toBeLessThan(5)
})
