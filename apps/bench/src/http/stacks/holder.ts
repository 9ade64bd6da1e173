import { createServer } from 'node:http'

// The minimum work to hold event streams open: the same headers and a body of the same size. Responses have no end.
const { PORT, ANSWER = '' } = process.env
type Answer = { readonly headers: Readonly<Record<string, string>>; readonly body: object }
const { headers, body } = JSON.parse(ANSWER) as Answer // The value that startStack passes.

const server = createServer((request, response) => {
  if (request.headers.accept !== 'text/event-stream') return void response.writeHead(404).end()
  response.removeHeader('transfer-encoding')
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', connection: 'close' })
  response.write(`event: snapshot\ndata: ${JSON.stringify(body)}\n\n`)
})
server.listen(Number(PORT), '127.0.0.1')
