import { expect, test } from 'vitest'
import { openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'
import { breachesOf, type Exchange } from './breaches.ts'
import { expectProblemsAsDocumented } from './received-answers.ts'

const server = await serverOfFile()

/** Responses of a server. */
async function realAnswers() {
  const anna = await openAuction(server)
  const created = { method: 'POST', path: '/api/Auctions', ...(await anna.createAuction()) }
  const path = `/api/Auctions/${anna.id}`
  const read = { method: 'GET', path, ...(await anna.get(path)) }
  const refused = { method: 'POST', path: '/api/Bids', ...(await anna.placeBid({ amount: 1 })) }
  const lost = { method: 'GET', path: '/nowhere', ...(await anna.get('/nowhere')) }
  return { created, read, refused, lost }
}

test('the responses of a server match the document', async () => {
  const { created, read, refused, lost } = await realAnswers()
  expect([created, read, refused, lost].map(({ status }) => status)).toEqual([201, 200, 409, 404])
  expect([created, read, refused, lost].flatMap(breachesOf)).toEqual([])
})

const withBody = (exchange: Exchange, change: (body: Record<string, unknown>) => object): Exchange => ({
  ...exchange,
  text: JSON.stringify(change(JSON.parse(exchange.text))),
})

function withHeader(exchange: Exchange, name: string, value: string | undefined): Exchange {
  const headers = new Headers(exchange.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { ...exchange, headers }
}

type Answers = Awaited<ReturnType<typeof realAnswers>>
type Deviation = readonly [what: string, breach: RegExp, change: (answers: Answers) => Exchange]

const withData = (exchange: Exchange, members: object): Exchange =>
  withBody(exchange, (body) => ({ ...body, data: { ...(body['data'] as object), ...members } }))

test.each<Deviation>([
  ['another status', /createAuction answers no 200/, ({ created }) => ({ ...created, status: 200 })],
  ['a status for operations only', /409 is for operations only/, ({ lost }) => ({ ...lost, status: 409 })],
  ['a content type', /content type text\/plain/, ({ created }) => withHeader(created, 'content-type', 'text/plain')],
  ['no Location', /header location is missing/, ({ created }) => withHeader(created, 'location', undefined)],
  ['a header', /header x-powered-by is not declared/, ({ read }) => withHeader(read, 'x-powered-by', 'luck')],
  ['no JSON', /not JSON/, ({ read }) => ({ ...read, text: '<html>' })],
  ['another member', /additional properties .*secret/, ({ read }) => withData(read, { secret: 1 })],
  ['a missing member', /property 'message'/, ({ read }) => withBody(read, ({ message, ...body }) => body)],
  ['a string for a number', /bidCount must be integer/, ({ read }) => withData(read, { bidCount: '0' })],
  [
    'the code of another problem',
    /code must be equal to constant/,
    ({ refused }) => withBody(refused, (body) => ({ ...body, code: 'auction-ended' })),
  ],
  ['a body with 304', /none is declared/, ({ read }) => ({ ...read, status: 304 })],
])('the check finds %s', async (_what, breach, change) => {
  expect(breachesOf(change(await realAnswers()))).toContainEqual(expect.stringMatching(breach))
})

test('the check finds a failure among the responses of a connection', () => {
  const body = '{"success":false,"status":408}'
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
  const failure = `HTTP/1.1 408 Request Timeout\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}\r\n\r\n`
  expect(() => expectProblemsAsDocumented(`${ok}${failure}${body}`)).toThrow(/against the OpenAPI document: 408/)
  expect(() => expectProblemsAsDocumented(`${ok}${failure}`)).not.toThrow()
})
