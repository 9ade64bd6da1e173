import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sampleOf } from '../../../tools/vitest/size.ts'
import { runtimeFault } from '../src/process/runtime.ts'
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

  test.each(sampleOf([[[]], [['--check']]]))('is required, with one line on standard error: %j', async (args) => {
    const before = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.14.0' } })"
    const started = startProcess({}, { before, args })
    expect(await started.exited()).toBe(1)
    expect(started.stderr()).toBe(`${runtimeFault('24.14.0')}\n`)
    expect(started.stdout()).toBe('')
  })
})
