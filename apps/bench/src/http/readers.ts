import { connect } from 'node:net'
import { repeat } from '../bidding.ts'
import type { Defer } from '../scope.ts'
import { type Server, token } from './server.ts'

const isLineBreak = (byte: number | undefined) => byte === 10

/** Tells a heartbeat from an event, which also ends with two line breaks. */
const isHeartbeat = (data: Buffer) => data.length === 3 && data[0] === 0x3a

/** Opens event streams. Returns a function that resolves when each of them has received another event. */
export async function openReaders({ origin }: Server, auctionId: number, count: number, defer: Defer) {
  const port = Number(new URL(origin).port)
  const request = `GET /api/Auctions/${auctionId}/Events HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`
  let left = 0
  let all = Promise.withResolvers<void>()

  /** Opens a stream. Resolves when it has its first events. */
  function openReader(): Promise<void> {
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
    let isOpen = false
    const socket = connect(port, '127.0.0.1')
    defer(() => socket.destroy())
    socket.on('error', (error) => (isOpen ? all.reject : reject)(error))
    socket.write(request)
    socket.on('data', (data: Buffer) => {
      if (!isOpen && !data.includes('200 OK') && data.includes('HTTP/1.1 '))
        reject(new Error(`a stream was refused: ${data}`))
      // An event ends with two line breaks, and so does the snapshot at the beginning.
      if (isHeartbeat(data) || !isLineBreak(data.at(-1)) || !(data.length === 1 || isLineBreak(data.at(-2)))) return
      if (!isOpen && data.includes('retry: ') && !data.includes('event: ')) return
      if (!isOpen) {
        isOpen = true
        resolve()
        return
      }
      left -= 1
      if (left === 0) all.resolve()
    })
    return opened
  }

  // The service refuses streams that it cannot open in time, so not all at once.
  await repeat(count, openReader)
  return () => {
    left = count
    all = Promise.withResolvers<void>()
    return all.promise
  }
}
