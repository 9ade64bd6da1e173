import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dockerfile, root } from '../../../../tools/image/dockerfile.ts'
import { listen } from '../../../../tools/vitest/listen.ts'
import { newAuction } from '../support/client.ts'
import { secret, tokenOf } from '../support/tokens.ts'
import { buildTree, entriesIn, type Tree } from './tree.ts'

let tree: Tree
beforeAll(async () => {
  tree = await buildTree()
})
afterAll(() => tree.remove())

const hourMs = 60 * 60 * 1000
const isoSeconds = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const runningAuction = {
  ...newAuction,
  startTime: isoSeconds(Date.now() - hourMs),
  endTime: isoSeconds(Date.now() + hourMs),
}

const settings = { PORT: '0', JWT_SECRET: secret }

async function startService(folder?: string, environment: Readonly<Record<string, string>> = settings) {
  const started = tree.start(dockerfile.entrypoint, environment, folder)
  const [, port = ''] = await started.until(/"url":"http:\/\/[^"]*:(\d+)"/)
  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }).then(({ status }) => status)
  const get = (path: string) => fetch(url + path, { headers }).then((response) => response.json())
  return { ...started, url, port, post, get }
}

describe('the Dockerfile', () => {
  test('runs the Node.js that the tests run on, by its digest', () => {
    const version = process.versions.node.replaceAll('.', '\\.')
    const exact = new RegExp(`^node:${version}-\\w+-slim@sha256:[0-9a-f]{64}$`)
    expect(dockerfile.bases).toEqual([expect.stringMatching(exact), dockerfile.bases[0]])
  })

  test('does not run as root', () => {
    expect(dockerfile.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

describe('the tree of the image', () => {
  /** All dependencies of a package, optional ones too. */
  function needsOf(manifest: string): readonly string[] {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    )
    return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta })
  }

  test('holds what the service needs, and no development dependencies', () => {
    const manifests = globSync('node_modules/.pnpm/*/node_modules/{[!@.]*,@*/*}/package.json', { cwd: tree.path })
    const packages = new Map(
      manifests.map((file) => [file.replace(/^.*node_modules\/|\/package\.json$/g, ''), join(tree.path, file)]),
    )
    const needed = new Set(needsOf(join(tree.path, 'package.json')))
    for (const name of needed) {
      const manifest = packages.get(name)
      for (const more of manifest === undefined ? [] : needsOf(manifest)) needed.add(more)
    }
    expect([...packages.keys()]).toEqual(expect.arrayContaining(['fastify', 'mongodb', '@auction/domain']))
    expect([...packages.keys()].filter((name) => !needed.has(name))).toEqual([])
    expect(packages.has('typescript'), 'which valibot can use').toBe(false)
  })

  test('holds no TypeScript, no source maps, no sources of ours, and no tests or documentation of dependencies', () => {
    expect(readdirSync(tree.path).sort()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json'])
    const files = entriesIn(tree.path).map(({ parentPath, name }) => join(parentPath, name).slice(tree.path.length))
    expect(files.length).toBeGreaterThan(1_000)
    expect(files.filter((file) => /\.(map|[mc]?ts)$/.test(file))).toEqual([])
    expect(files.filter((file) => /@auction\/(testing|\w+\/src)(\/|$)/.test(file))).toEqual([])
    expect(files.filter((file) => /\/(tests?|docs|examples?|benchmarks?)\/|\/readme\.md$/i.test(file))).toEqual([])
  })

  test('holds the licenses of dependencies', () => {
    const licenses = entriesIn(tree.path).filter(({ name }) => /^licen[sc]e/i.test(name))
    expect(licenses.length).toBeGreaterThan(100)
    expect(licenses.map(({ name }) => name)).toContain('LICENSE.md')
  })

  test('loads every dependency', async () => {
    for (const folder of [tree.path, join(tree.path, 'node_modules/@auction/host')]) {
      const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      // Its main module is for browsers; the service reads its files.
      const { 'swagger-ui-dist': _, ...loaded } = dependencies
      const names = Object.keys(loaded).filter((name) => !name.startsWith('@auction/'))
      const script = names.map((name) => `await import(${JSON.stringify(name)})`).join('\n')
      const loading = tree.start(['node', '--input-type=module', '--eval', script], {}, folder)
      expect(await loading.exited(), loading.stderr()).toBe(0)
    }
  })

  test('serves auctions and bids, read-only and with nothing else on the path, and keeps them in its volume', async () => {
    const volume = tree.volume()
    const service = await startService(volume)
    expect(await service.post('/api/Auctions', runningAuction)).toBe(201)
    expect(await service.post('/api/Bids', { auctionId: 1, bidderId: 2, amount: 100 })).toBe(201)
    for (const path of ['/', '/page/main.js', '/page/lit-html.js', '/page/client/client.js']) {
      expect((await fetch(`${service.url}${path}`)).status, path).toBe(200)
    }
    service.child.kill('SIGTERM')
    expect(await service.exited(), service.stdout() + service.stderr()).toBe(0)
    expect(readdirSync(volume)).toEqual(['data'])
    expect(existsSync(join(volume, 'data/auctions.sqlite'))).toBe(true)

    const again = await startService(volume)
    expect(await again.get('/api/Auctions/1')).toMatchObject({ data: { currentPrice: 100, bidCount: 1 } })
  })

  test('prints one line about a wrong setting, and exits with code 1', async () => {
    const started = tree.start(dockerfile.entrypoint, { ...settings, LOG_LEVEL: 'loud' })
    expect(await started.exited()).toBe(1)
    expect(started.stdout() + started.stderr()).toMatch(/^LOG_LEVEL \(environment\): must be one of .*\n$/)
  })

  test('checks its settings with --check', async () => {
    const check = tree.start([...dockerfile.entrypoint, '--check'], settings)
    expect(await check.exited(), check.stdout() + check.stderr()).toBe(0)
  })

  test('signs a token to try the service, as the page about Docker shows', async () => {
    const page = readFileSync(join(root, 'docs/how-to/deploy-with-docker.md'), 'utf8')
    const [, name = '', value = '', command = ''] = /-e (\w+)=(\w+) auctions (\w+)\)$/m.exec(page) ?? []
    const signed = tree.start([...dockerfile.entrypoint, command], { ...settings, [name]: value })
    expect(await signed.exited(), signed.stderr()).toBe(0)
    const { url } = await startService()
    const headers = { authorization: `Bearer ${signed.stdout().trim()}`, 'content-type': 'application/json' }
    const body = JSON.stringify(runningAuction)
    expect((await fetch(`${url}/api/Auctions`, { method: 'POST', headers, body })).status).toBe(201)
  })

  test('needs only MONGODB_URI to use MongoDB', async () => {
    const started = tree.start(dockerfile.entrypoint, {
      ...settings,
      MONGODB_URI: 'mongodb://127.0.0.1:1/',
      STORE_WAIT_SECONDS: '0',
    })
    expect(await started.exited()).toBe(1)
    expect(started.stdout() + started.stderr()).toMatch(/^MONGODB_URI: .*\n$/)
  })
})

describe('the health check of the image', () => {
  const checked = async (environment: Readonly<Record<string, string>>, ...parameters: readonly string[]) => {
    const check = tree.start([...dockerfile.healthCheck, ...parameters], { ...settings, ...environment })
    return { code: await check.exited(), output: check.stdout() + check.stderr() }
  }

  /** A service that is alive and not ready. */
  async function startUnreadyService(): Promise<string> {
    const server = createServer(({ url }, response) => response.writeHead(url === '/livez' ? 200 : 503).end('{}'))
    return String(await listen(server))
  }

  test('passes if the service is alive', async () => {
    expect(await checked({ PORT: await startUnreadyService() })).toEqual({ code: 0, output: '' })
  })

  test('can request /readyz instead, and prints the status', async () => {
    const PORT = await startUnreadyService()
    expect(await checked({ PORT }, '/readyz')).toEqual({ code: 1, output: '/readyz: returned 503\n' })
  })

  test('uses the port of the service', async () => {
    const { port } = await startService()
    expect(await checked({ PORT: port })).toEqual({ code: 0, output: '' })
    expect(await checked({ PORT: port }, '/readyz')).toEqual({ code: 0, output: '' })
  })

  test('fails if nothing listens', async () => {
    expect(await checked({ PORT: '1' })).toEqual({ code: 1, output: expect.stringMatching(/^\/livez: .*ECONNREFUSED/) })
  })

  test('fails on settings with which the service does not start', async () => {
    expect(await checked({ PORT: 'x' })).toEqual({ code: 1, output: expect.stringMatching(/^\/livez: PORT .*\n$/) })
  })
})
