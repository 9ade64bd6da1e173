import { Agent, createServer, request } from 'node:http'

// The minimum work to deliver messages: it posts the same bytes to an endpoint as often as a request says, over 32
// connections.
const { PORT, TARGET = '', MESSAGE = '' } = process.env
type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string }
const { headers, body } = JSON.parse(MESSAGE) as Message // The value that startStack passes.
const maxSockets = 32
const agent = new Agent({ keepAlive: true, maxSockets })

const post = () =>
  new Promise((resolve, reject) => {
    const outgoing = request(TARGET, { method: 'POST', agent, headers }, (response) =>
      response.on('end', resolve).resume(),
    )
    outgoing.on('error', reject).end(body)
  })

const server = createServer(async ({ url = '' }, response) => {
  let left = Number(/^\/posts\/(\d+)$/.exec(url)?.[1] ?? 0)
  async function work(): Promise<void> {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: maxSockets }, work))
  response.end('{}')
})
server.listen(Number(PORT), '127.0.0.1')
