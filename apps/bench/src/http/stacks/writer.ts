import { createServer, type Socket } from 'node:net'

// The minimum work to deliver an event: one buffer, written to every reader. It parses no more of a request than its
// first bytes.
const { PORT, FRAME = '' } = process.env
const frame = Buffer.from(FRAME)
const readers = new Set<Socket>()
const json = '{"data":{"id":1}}'

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('close', () => readers.delete(socket))
  socket.on('data', (data) => {
    const line = data.toString('latin1', 0, 40)
    if (line.startsWith('GET') && line.includes('/Events')) {
      readers.add(socket)
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n\n\n')
    } else if (line.startsWith('POST')) {
      for (const reader of readers) reader.write(frame)
      socket.end(`HTTP/1.1 201 Created\r\nconnection: close\r\ncontent-length: ${json.length}\r\n\r\n${json}`)
    } else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
})
server.listen(Number(PORT), '127.0.0.1')
