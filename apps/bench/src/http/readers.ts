import { connect } from 'node:net'
import type { Defer } from '../scope.ts'
import { type Server, token } from './server.ts'

const isLineBreak = (byte: number | undefined) => byte === 10

/** Opens event streams. Returns a function that resolves when each of them has received another event. */
export async function openReaders({ origin }: Server, auctionId: number, count: number, defer: Defer) {
  const { port } = new URL(origin)
  let left = count
  let all = Promise.withResolvers<void>()
  for (let reader = 0; reader < count; reader++) {
    const socket = connect(Number(port), '127.0.0.1')
    defer(() => socket.destroy())
    socket.on('error', (error) => all.reject(error))
    socket.write(
      `GET /api/Auctions/${auctionId}/Events HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    let isOpen = false
    socket.on('data', (data) => {
      // An event ends with two line breaks, and so does the snapshot at the beginning.
      if (!isLineBreak(data.at(-1)) || !(data.length === 1 || isLineBreak(data.at(-2)))) return
      if (!isOpen && data.includes('retry: ') && !data.includes('event: ')) return
      isOpen = true
      left -= 1
      if (left === 0) all.resolve()
    })
  }
  await all.promise
  return () => {
    left = count
    all = Promise.withResolvers<void>()
    return all.promise
  }
}
