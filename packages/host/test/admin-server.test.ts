import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { rawConnection, requestBytes, statusesIn } from '../../../tools/vitest/raw-connection.ts'
import { openAdminServer } from '../src/metrics/admin-server.ts'

const contentType = Registry.PROMETHEUS_CONTENT_TYPE
const portOf = (url: string) => Number(new URL(url).port)

async function startAdmin(metrics: () => Promise<string> = async () => 'text') {
  const server = await openAdminServer({ host: '127.0.0.1', port: 0 }, { contentType, metrics })
  onTestFinished(() => server.close())
  return { url: new URL(server.url).origin, port: portOf(server.url) }
}

test.each([
  { method: 'GET', path: '/metrics', status: 200, text: 'text' },
  { method: 'GET', path: '/metrics?x=1', status: 200, text: 'text' },
  { method: 'HEAD', path: '/metrics', status: 200, text: '' },
  { method: 'POST', path: '/metrics', status: 405, text: 'Only GET and HEAD are allowed.\n' },
  { method: 'GET', path: '/', status: 404, text: 'This page does not exist; the only page is /metrics.\n' },
  { method: 'GET', path: '/Metrics', status: 404, text: 'This page does not exist; the only page is /metrics.\n' },
])('$method $path is $status', async ({ method, path, status, text }) => {
  const { url } = await startAdmin()
  const response = await fetch(`${url}${path}`, { method })
  expect(response.status).toBe(status)
  expect(await response.text()).toBe(text)
  expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null)
})

test('a failed page is 500, and the next request tries again', async () => {
  let times = 0
  const { url } = await startAdmin(async () => {
    times += 1
    if (times === 1) throw new Error('not now')
    return 'text'
  })
  expect((await fetch(`${url}/metrics`)).status).toBe(500)
  expect((await fetch(`${url}/metrics`)).status).toBe(200)
})

test('accepts 16 connections, and closes others at once', async () => {
  const { port } = await startAdmin()
  const connections = await Promise.all(Array.from({ length: 16 }, () => rawConnection(port)))
  expect(await (await rawConnection(port)).ended()).toBe('')
  connections[0]?.write(requestBytes('GET', '/metrics', { connection: 'close' }))
  expect(statusesIn((await connections[0]?.ended()) ?? '')).toEqual([200])
  for (const { socket } of connections) socket.destroy()
})

test.each([
  { title: 'no HTTP', bytes: 'garbage\r\n\r\n', statuses: [400] },
  { title: 'CONNECT', bytes: requestBytes('CONNECT', 'localhost:80', {}), statuses: [] },
  { title: 'a body that never comes', bytes: requestBytes('GET', '/', { 'content-length': '5' }), statuses: [404] },
])('ends a connection with $title', async ({ bytes, statuses }) => {
  const { port } = await startAdmin()
  const connection = await rawConnection(port)
  connection.write(bytes)
  expect(statusesIn(await connection.ended())).toEqual(statuses)
})

test('closes the connection of a response that takes too long', async () => {
  const page = { contentType, metrics: () => new Promise<string>(() => undefined) }
  const server = await openAdminServer({ host: '127.0.0.1', port: 0, responseMs: 20 }, page)
  onTestFinished(() => server.close())
  const connection = await rawConnection(portOf(server.url))
  connection.write(requestBytes('GET', '/metrics', {}))
  expect(await connection.ended()).toBe('')
})

test('closes at once, with open connections', async () => {
  const server = await openAdminServer(
    { host: '127.0.0.1', port: 0 },
    { contentType, metrics: () => new Promise(() => undefined) },
  )
  const connection = await rawConnection(portOf(server.url))
  connection.write(requestBytes('GET', '/metrics', {}))
  await rawConnection(portOf(server.url))
  await server.close()
  expect(await connection.ended()).toBe('')
})
