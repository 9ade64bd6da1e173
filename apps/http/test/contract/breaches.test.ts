import { expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { breachesOf, type Exchange } from './breaches.ts'
import { expectProblemsAsDocumented } from './received-answers.ts'

/** Real answers, which keep to the document until a test changes something. */
async function realAnswers() {
  const anna = clientOf(await startServer())
  const created = { method: 'POST', path: '/api/Auctions', ...(await anna.createAuction()) }
  const read = { method: 'GET', path: '/api/Auctions/1', ...(await anna.get('/api/Auctions/1')) }
  const refused = { method: 'POST', path: '/api/Bids', ...(await anna.placeBid({ amount: 1 })) }
  const lost = { method: 'GET', path: '/nowhere', ...(await anna.get('/nowhere')) }
  return { created, read, refused, lost }
}

test('answers of a server keep to the document', async () => {
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
type Deviation = { what: string; made: (answers: Answers) => Exchange; breach: RegExp }

const deviations: readonly Deviation[] = [
  {
    what: 'another status',
    made: ({ created }) => ({ ...created, status: 200 }),
    breach: /createAuction answers no 200/,
  },
  {
    what: 'a status that is for operations only',
    made: ({ lost }) => ({ ...lost, status: 409 }),
    breach: /409 is for operations only/,
  },
  {
    what: 'another content type',
    made: ({ created }) => withHeader(created, 'content-type', 'text/plain'),
    breach: /content type text\/plain/,
  },
  {
    what: 'no Location',
    made: ({ created }) => withHeader(created, 'location', undefined),
    breach: /header location is missing/,
  },
  {
    what: 'a header that nobody knows',
    made: ({ read }) => withHeader(read, 'x-powered-by', 'luck'),
    breach: /header x-powered-by is not declared/,
  },
  {
    what: 'no JSON',
    made: ({ read }) => ({ ...read, text: '<html>' }),
    breach: /not JSON/,
  },
  {
    what: 'a member too many',
    made: ({ read }) => withBody(read, (body) => ({ ...body, data: { ...(body['data'] as object), secret: 1 } })),
    breach: /additional properties .*secret/,
  },
  {
    what: 'a member too few',
    made: ({ read }) => withBody(read, ({ message, ...body }) => body),
    breach: /required property 'message'/,
  },
  {
    what: 'a number as a text',
    made: ({ read }) => withBody(read, (body) => ({ ...body, data: { ...(body['data'] as object), bidCount: '0' } })),
    breach: /bidCount must be integer/,
  },
  {
    what: 'a code of another problem',
    made: ({ refused }) => withBody(refused, (body) => ({ ...body, code: 'auction-ended' })),
    breach: /code must be equal to constant/,
  },
  {
    what: 'a body where none is declared',
    made: ({ read }) => ({ ...read, status: 304 }),
    breach: /none is declared/,
  },
]

test.each(deviations)('$what is found', async ({ made, breach }) => {
  expect(breachesOf(made(await realAnswers()))).toContainEqual(expect.stringMatching(breach))
})

test('a failure that comes in on a connection is found among other answers', () => {
  const body = '{"success":false,"status":408}'
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
  const failure = `HTTP/1.1 408 Request Timeout\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}\r\n\r\n`
  expect(() => expectProblemsAsDocumented(`${ok}${failure}${body}`)).toThrow(/against the OpenAPI document: 408/)
  expect(() => expectProblemsAsDocumented(`${ok}${failure}`)).not.toThrow()
})
