import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startChild } from '../vitest/child.ts'
import { freePort } from '../vitest/free-port.ts'
import { listen, stop } from '../vitest/listen.ts'
import { describeWith, provided } from '../vitest/needs.ts'

const folder = 'docs/how-to/examples/balancers'
const auctions = Array.from({ length: 30 }, (_, index) => index + 1)

type Backend = { readonly port: number; readonly server: Server }

/** A server that reports its port and the path that it received. */
async function startBackend(): Promise<Backend> {
  const server = createServer(({ url, socket }, response) => {
    response.setHeader('x-path', url ?? '').end(String(socket.localPort))
  })
  const port = await listen(server)
  return { port, server }
}

const example = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** An example with the addresses of this test. */
async function exampleFor(name: string, backends: readonly Backend[]) {
  const port = await freePort()
  const addresses = example(name).replaceAll(
    /10\.0\.0\.(\d)(:|, port_value: )3000/g,
    (_, number, separator) => `127.0.0.1${separator}${backends[Number(number) - 1]?.port}`,
  )
  const path = mkdtempSync(join(tmpdir(), 'auction-balancer-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return { path, port, origin: `http://127.0.0.1:${port}`, text: addresses.replaceAll(/(:| )8080/g, `$1${port}`) }
}

async function startNginx(backends: readonly Backend[]): Promise<string> {
  const { path, origin, text } = await exampleFor('nginx.conf', backends)
  const logs = `error_log stderr; pid ${path}/nginx.pid;`
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${path};`)
  const http = `access_log off; ${temporary.join(' ')}\n${text}`
  writeFileSync(join(path, 'nginx.conf'), `daemon off; ${logs}\nevents {}\nhttp {\n${http}\n}\n`)
  startChild(provided('nginx').program, ['-p', path, '-c', join(path, 'nginx.conf'), '-e', 'stderr'])
  return origin
}

async function startHaproxy(backends: readonly Backend[]): Promise<string> {
  const { path, origin, text } = await exampleFor('haproxy.cfg', backends)
  writeFileSync(join(path, 'haproxy.cfg'), text)
  startChild(provided('haproxy').program, ['-f', join(path, 'haproxy.cfg')])
  return origin
}

async function startEnvoy(backends: readonly Backend[]): Promise<string> {
  const { path, origin, text } = await exampleFor('envoy.yaml', backends)
  writeFileSync(join(path, 'envoy.yaml'), text)
  // Without an id, a second Envoy on the machine would share its memory with the first.
  const own = ['--use-dynamic-base-id', '--concurrency', '1', '--log-level', 'error']
  startChild(provided('envoy').program, ['--config-path', join(path, 'envoy.yaml'), ...own])
  return origin
}

/** Which server receives a request. */
async function serverOf(origin: string, path: string, method = 'GET'): Promise<string> {
  const response = await fetch(`${origin}${path}`, { method, headers: { connection: 'close' } })
  expect(response.headers.get('x-path')).toBe(path)
  return response.text()
}

/** The server of each auction, which every request that names the auction reaches. */
async function serversOf(origin: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of auctions) {
    const requests = [
      serverOf(origin, `/api/Auctions/${id}`),
      serverOf(origin, `/api/auctions/${id}/events?after=${id}`),
      serverOf(origin, `/API/AUCTIONS/${id}/Bids?limit=2`),
      serverOf(origin, `/api/Auctions/${id}/Bids`, 'POST'),
      serverOf(origin, `/api/Auctions/${id}/Cancellation`, 'POST'),
    ]
    const [server = '', ...others] = new Set(await Promise.all(requests))
    expect(others).toEqual([])
    found.push(server)
  }
  return found
}

const balancers = [
  { need: 'nginx', start: startNginx },
  { need: 'haproxy', start: startHaproxy },
  { need: 'envoy', start: startEnvoy },
] as const

for (const { need, start } of balancers) {
  describeWith(need, 'each auction on one server', () => {
    test('every path of an auction leads to its server, others to any, and a server that leaves moves its own', async () => {
      const backends = await Promise.all([startBackend(), startBackend(), startBackend()])
      const ports = new Set(backends.map(({ port }) => String(port)))
      const origin = await start(backends)
      await expect.poll(() => serverOf(origin, '/api/Auctions').catch(() => 'none')).not.toBe('none')

      const before = await serversOf(origin)
      expect(new Set(before)).toEqual(ports)
      const others = await Promise.all(auctions.map(() => serverOf(origin, '/api/Bids', 'POST')))
      expect(new Set(others)).toEqual(ports)
      expect((await fetch(`${origin}/readyz`)).status).toBe(404)

      const [left] = backends
      if (left === undefined) throw new Error('there are three servers')
      await stop(left.server)
      const after = await serversOf(origin)
      for (const [index, server] of before.entries()) {
        if (server === String(left.port)) expect(after[index]).not.toBe(server)
        else expect(after[index]).toBe(server)
      }
    })
  })
}

test('ingress-nginx has the map of nginx', () => {
  const configuration = parse(example('ingress-nginx.yaml'))
  const [map] = /map \$uri \$auction \{[^}]*\}/.exec(example('nginx.conf')) ?? []
  expect(configuration.data['http-snippet'].trim()).toBe(map)
})
