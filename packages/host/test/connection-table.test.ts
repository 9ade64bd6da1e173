import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createConnectionTable } from '../src/connections/connection-table.ts'

/** A table of connections. Addresses are letters; the connections of a trusted proxy have none. */
function createTable({ share = 2, of = 10 } = {}) {
  const addresses = new Map<unknown, string>()
  const drops: object[] = []
  const table = createConnectionTable(
    { maxConnections: of, maxConnectionsPerAddress: share },
    (socket) => addresses.get(socket),
    (reason, facts) => drops.push({ reason, ...facts }),
  )
  const open = (address?: string): Socket => {
    const socket = new Socket()
    if (address !== undefined) addresses.set(socket, address)
    table.add(socket)
    return socket
  }
  return {
    table,
    drops,
    open,
    openMany: (count: number, address?: string) => Array.from({ length: count }, () => open(address)),
    /** Begins a complete request, and returns the function that ends its response. */
    begin(socket: Socket): () => void {
      const request = new IncomingMessage(socket)
      request.complete = true
      const response = new ServerResponse(request)
      table.begin(socket, response)
      return () => response.emit('close')
    },
  }
}

const openOf = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length

const tooMany = (address: string) => ({ reason: 'too-many-of-address', maxConnectionsPerAddress: 2, address })

test('while at most half of all connections are in use, an address may have more than its share', () => {
  const { openMany, drops } = createTable()
  expect(openOf(openMany(5, 'a'))).toBe(5)
  expect(drops).toEqual([])
})

test('beyond that, each new connection of an address at its share closes the one of it that has been idle longest', () => {
  const { open, openMany, begin, drops } = createTable()
  const [first, second, third, ...rest] = openMany(5, 'a') as [Socket, Socket, Socket, ...Socket[]]
  begin(first)
  begin(second)()
  const last = open('a')
  expect(openOf([third])).toBe(0)
  expect(openOf([first, second, ...rest, last])).toBe(5)
  expect(drops).toEqual([tooMany('a')])
})

test('beyond that, an address above its share loses a connection for each new one of others, until it has its share', () => {
  const { openMany, drops } = createTable()
  const large = openMany(5, 'a')
  const others = ['b', 'c', undefined].flatMap((address) => openMany(2, address))
  expect(large.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false])
  expect(openOf(others)).toBe(6)
  expect(drops).toEqual([tooMany('a'), tooMany('a'), tooMany('a')])
})

test('of several addresses above their share, the one with the most connections loses first', () => {
  const { open, openMany } = createTable({ share: 1 })
  const [small, large] = [openMany(2, 'a'), openMany(3, 'b')]
  open('c')
  expect([openOf(small), openOf(large)]).toEqual([2, 2])
})

test.each([
  { title: 'a refusal', wasRefused: true, pauses: [0, 250, 250, 500, 1_000] },
  { title: 'another request that was not admitted', wasRefused: false, pauses: [0, 0, 0, 500, 1_000] },
])('the pause after $title grows with the connections above the share', ({ wasRefused, pauses }) => {
  const { openMany, table } = createTable({ share: 10, of: 200 })
  const pauseWith = (count: number) => {
    const [first, ...others] = openMany(count, String(count)) as [Socket, ...Socket[]]
    const ms = table.pauseMsOf(first, wasRefused)
    for (const socket of [first, ...others]) socket.emit('close')
    return ms
  }
  expect([8, 9, 10, 20, 90].map(pauseWith)).toEqual(pauses)
})

test('connections with a request in progress are not closed; a new one of their address is', () => {
  const { open, openMany, begin, drops } = createTable()
  const busy = openMany(5, 'a')
  const [end] = busy.map(begin)
  expect(openOf([open('a')])).toBe(0)
  expect(openOf(openMany(2, 'b'))).toBe(2)
  expect(openOf(busy)).toBe(5)
  end?.()
  expect(openOf([open('c')])).toBe(1)
  expect(openOf(busy)).toBe(4)
  expect(drops).toEqual([tooMany('a'), tooMany('a')])
})

test('at the limit, others lose connections only if none of an address above its share is idle', () => {
  const { open, openMany, begin, drops } = createTable()
  const busy = openMany(5, 'a')
  const ends = busy.map(begin)
  const others = [...openMany(2, 'b'), ...openMany(2, 'c'), open()]
  expect(openOf([...busy, ...others])).toBe(10)
  expect(openOf([open('d')])).toBe(1)
  expect(others.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false])
  expect(drops).toEqual([{ reason: 'too-many-connections', maxConnections: 10 }])
  ends[4]?.()
  expect(openOf([open('d')])).toBe(1)
  expect(openOf(others)).toBe(4)
  expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false, true])
})
