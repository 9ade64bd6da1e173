import { missingField, type Parsed, pointerTo, validationFailed } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { addProblems } from '@auction/host/responses'
import fc from 'fast-check'
import Fastify from 'fastify'
import pino from 'pino'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createErrorHandler } from '../src/api/errors.ts'
import { bodyOf } from '../src/api/openapi/requests.ts'
import { createAuction } from '../src/api/operations/create-auction.ts'
import { addOperations } from '../src/api/operations/define-operation.ts'
import type { Operation, OperationParts } from '../src/api/operations/operation.ts'
import { csvBody } from '../src/api/requests/csv-body.ts'
import { addBodyParser, jsonBody, readBody } from '../src/api/requests/json-body.ts'
import { validationProblem } from '../src/api/responses/refusals.ts'

const Bidder = v.object(
  {
    bidderId: v.number('must be a user id'),
    status: v.picklist(['admitted', 'refused'], 'must be admitted or refused'),
    limit: v.exactOptional(v.pipe(v.number('must be an amount'), v.minValue(0, 'must be an amount'))),
    paddle: v.exactOptional(v.string()),
    withdrawBids: v.exactOptional(v.boolean()),
  },
  missingField,
)
const Fields = v.object({ bidders: v.array(Bidder) })
type Fields = v.InferOutput<typeof Fields>

function parseFields(input: unknown): Parsed<Fields> {
  const { success, output, issues = [] } = v.safeParse(Fields, input)
  if (success) return accepted(output)
  const errors = issues.map(({ path = [], message }) => ({
    pointer: pointerTo(path.map(({ key }) => String(key))),
    message,
  }))
  return refused(validationFailed(...errors))
}

const columns = {
  ...({ bidderId: 'integer', status: 'text', limit: 'number' } as const),
  ...({ paddle: 'text', withdrawBids: 'boolean' } as const),
}
const names = ['bidderId', 'status', 'limit', 'paddle', 'withdrawBids'] as const

const body = csvBody<Fields, unknown>(jsonBody(Fields, parseFields), {
  ...{ listName: 'bidders', columns, required: ['bidderId', 'status'], maxRows: 100 },
})

const parse = (csv: string | Buffer) => body.parse(Buffer.from(csv), { arrivedAtMs: 0, path: undefined })

function errorsOf(csv: string | Buffer): readonly (readonly [pointer: string, message: string])[] {
  const parsed = parse(csv)
  return parsed.ok ? [] : parsed.refusal.errors.map(({ pointer, message }) => [pointer, message])
}

const anyText = fc.stringMatching(/^[a-z;,"\r\n\0é ]{0,5}x$/)
const anyRow = fc.record(
  {
    bidderId: fc.maxSafeNat(),
    status: fc.constantFrom('admitted', 'refused'),
    limit: fc.nat().map((minor) => minor / 100),
    paddle: anyText,
    withdrawBids: fc.boolean(),
  },
  { requiredKeys: ['bidderId', 'status'] },
)

/** A dialect of CSV: what spreadsheets and programs of several systems write. */
const anyDialect = fc.record({
  bom: fc.constantFrom('', '\uFEFF'),
  delimiter: fc.constantFrom(',', ';'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  hasBlankLines: fc.boolean(),
  isQuoted: fc.boolean(),
  order: fc.shuffledSubarray([...names], { minLength: names.length }),
})

test('rows in any dialect are the list of the JSON body', () => {
  const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(anyRows, anyDialect, (rows, { bom, delimiter, lineBreak, hasBlankLines, isQuoted, order }) => {
      const cellOf = (value: unknown = '') =>
        isQuoted || /[;,"\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
      const blankLines = hasBlankLines ? ['', delimiter.repeat(4)] : []
      const lines = [order, ...rows.map((row) => order.map((name) => row[name]))].map((cells) =>
        cells.map(cellOf).join(delimiter),
      )
      const csv = bom + [...blankLines, ...lines, ...blankLines, ''].join(lineBreak)
      expect(parse(csv)).toEqual(accepted({ bidders: rows }))
    }),
    { numRuns: 200 },
  )
})

const known = 'known columns are bidderId, status, limit, paddle, withdrawBids'
const rowsOf = (count: number) => `bidderId,status\n${'7,admitted\n'.repeat(count)}`
const notUtf8 = 'is not UTF-8; export it as "CSV UTF-8"'
const quoteRule = 'has a double quote within a cell; put the cell in double quotes, and write the quote in it twice'

test.each<[what: string, csv: string | Buffer, ...messages: string[]]>([
  ['no text', '', `must have a header; ${known}`],
  ['blank lines', '\n\r\n,\n', `must have a header; ${known}`],
  ['a header alone', '\uFEFFbidderId,status\r\n', 'must have a row below the header'],
  ['more rows than allowed', rowsOf(101), 'must have at most 100 rows; it has 101'],
  ['text in Latin-1', Buffer.from(`${rowsOf(1)}é`, 'latin1'), notUtf8],
  ['text in UTF-16', Buffer.from(`\uFEFF${rowsOf(1)}`, 'utf16le'), notUtf8],
  [
    'a header with errors',
    '\n\nbidderId,limit,Name,limit,,bidderId\n7,1,Anna,1,,7',
    `line 3: has unknown columns "Name", ""; ${known}`,
    'line 3: repeats the columns "bidderId", "limit"',
    'line 3: lacks the columns "status"',
  ],
  [
    'a header with names of prototypes',
    'bidderId,status,__proto__,constructor\n7,admitted,1,1',
    `line 1: has unknown columns "__proto__", "constructor"; ${known}`,
  ],
  [
    'a row with fewer cells',
    'bidderId;status\r\n\r\n7;"admi\r\ntted"\r\n8\r\n',
    'line 5: must have as many cells as the header, 2; it has 1',
  ],
  [
    'a row with more cells',
    'bidderId,status,limit\n7,admitted,1,234.50',
    'line 2: must have as many cells as the header, 3; it has 4; put a cell with a delimiter in double quotes',
  ],
  [
    'a cell without its second quote',
    'bidderId,status\n7,"admitted\n8,admitted\n',
    'line 2: has a cell that begins with a double quote and does not end with one',
  ],
  ['a quote within a cell', 'bidderId,status\r"7",admitted\r7,ad"mitted', `line 3: ${quoteRule}`],
  ['a quote within a quoted cell', 'bidderId,status\n7,"ad"mitted', `line 2: ${quoteRule}`],
  ['a quote after a space', 'bidderId,status\n7, "admitted"', `line 2: ${quoteRule}`],
])('%s is refused as a whole', (_what, csv, ...messages) => {
  expect(errorsOf(csv)).toEqual(messages.map((message) => ['/bidders', message]))
})

const noDecimals = ['1,23,456', '1.234.50', '1e3', '+1', '.5', '5.', '01', ' 1', '1 EUR', 'NaN', '٣', '1,'.repeat(50)]

test.each<[column: keyof typeof columns, cell: string, error: string]>([
  ['limit', '1,234.50', '1,234.50 has a thousands separator; write 1234.50'],
  ['limit', '-1.234.567,5', '-1.234.567,5 has a thousands separator; write -1234567.5'],
  ['limit', "1'234", "1'234 has a thousands separator; write 1234"],
  ['limit', '1\u00a0234,50', '1\u00a0234,50 has a thousands separator; write 1234.50'],
  ['limit', '12,50', '12,50 has a decimal comma; write 12.50'],
  ['limit', '1,234', '1,234 has a comma, of thousands or of decimals; write 1234 or 1.234'],
  ...noDecimals.map((cell): ['limit', string, string] => ['limit', cell, 'must be a plain decimal, such as 1234.50']),
  ['limit', '-1', 'must be an amount'],
  ['limit', '0.30000000000000001', 'must be an amount'],
  ['limit', '9'.repeat(400), 'must be an amount'],
  ['bidderId', '7.0', 'must be an integer, such as 1234'],
  ['bidderId', '1.234', '1.234 has a thousands separator; write 1234'],
  ['bidderId', '9007199254740993', 'must be a user id'],
  ['status', 'admitted\0', 'must be admitted or refused'],
  ['withdrawBids', 'yes', 'must be true or false'],
])('in the column %s, %j is refused', (column, cell, error) => {
  const row = { bidderId: '7', status: 'admitted', [column]: cell }
  const csv = [Object.keys(row), Object.values(row)].map((cells) => cells.join(';')).join('\n')
  expect(errorsOf(csv)).toEqual([[`/bidders/0/${column}`, `line 2, column ${column}: ${error}`]])
})

test('errors have the pointers of the JSON body, and the line on which their row begins', () => {
  const csv = 'bidderId,status,paddle\r\n\r\n7,admitted,"a\r\nb\nc"\r\n,admitted,\r\n8,"",\r\nx,TRUE,"\n"\r\n'
  expect(errorsOf(csv)).toEqual([
    ['/bidders/1/bidderId', 'line 6, column bidderId: is required'],
    ['/bidders/2/status', 'line 7, column status: is required'],
    ['/bidders/3/bidderId', 'line 8, column bidderId: must be an integer, such as 1234'],
    ['/bidders/3/status', 'line 8, column status: must be admitted or refused'],
  ])
})

test('numbers may end with zeros, and booleans have any letter case', () => {
  expect(parse('bidderId,status,limit,withdrawBids\n7,refused,1234.50,TRUE')).toEqual(
    accepted({ bidders: [{ bidderId: 7, status: 'refused', limit: 1234.5, withdrawBids: true }] }),
  )
})

const maxBytes = 65_536
const full = (part: string, header = '') => header + part.repeat((maxBytes - header.length) / part.length)

// Measured: 1 to 10 ms. A parser that continues after a row with another number of cells takes 300 ms.
const mostMs = 60

test.each([
  ['line breaks', full('\n')],
  ['spaces and line breaks', full(' \n')],
  ['short rows', full('7\n', 'bidderId,status\n')],
  ['repeated columns', full('status,bidderId,')],
  ['other columns', full('xy,')],
  ['quotes within a cell', full('""', '"')],
  ['one long cell', full('9', 'bidderId,status\nx,')],
  ['groups of digits', full(',123', 'bidderId;status\nx;1')],
])('64 KiB of %s take milliseconds, and have a short error', (_what, csv) => {
  const costs = [1, 2, 3].map(() => {
    const start = process.threadCpuUsage()
    const errors = errorsOf(csv)
    const { user, system } = process.threadCpuUsage(start)
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify(errors).length).toBeLessThan(2_000)
    return (user + system) / 1_000
  })
  expect(Math.min(...costs)).toBeLessThan(mostMs)
})

const setBidders: Operation = {
  route: { name: 'setBidders', method: 'PUT', path: '/api/Registers/{id}/Bidders' },
  docs: { tag: 'Registers', summary: 'Set bidders', description: 'Sets bidders.', success: 'The bidders were set.' },
  schemas: { body, data: Fields },
  refusals: {},
  examples: {},
  connect: () => async (request) => {
    const sent = readBody(request, body)
    if (!sent.ok) return sent
    const fields = body.parse(sent.value, { arrivedAtMs: 0, path: undefined })
    return fields.ok ? accepted({ message: '', data: fields.value }) : refused(validationProblem(fields.refusal))
  },
}

describe('a route of JSON and CSV', () => {
  const app = Fastify()
  addProblems(app, 'urn:test:')
  addBodyParser(app)
  app.setErrorHandler(createErrorHandler(pino({ level: 'silent' }), { noteError: () => undefined }))
  // The cast: the operation uses no part.
  addOperations(app, [setBidders], () => async () => undefined, false, {} as OperationParts)

  const url = '/api/Registers/1/Bidders'
  const put = (type: string, payload: string) =>
    app.inject({ method: 'PUT', url, headers: { 'content-type': type }, payload })

  test.each([
    { type: 'application/json', sent: '{"bidders":[{"bidderId":7,"status":"admitted"}]}' },
    { type: 'text/csv', sent: rowsOf(1) },
    { type: 'Text/CSV; charset=utf-8; header=present', sent: rowsOf(1) },
  ])('accepts $type with 200', async ({ type, sent }) => {
    const response = await put(type, sent)
    expect([response.statusCode, response.json().data]).toEqual([
      200,
      { bidders: [{ bidderId: 7, status: 'admitted' }] },
    ])
  })

  test.each(['text/plain', 'application/merge-patch+json'])('is 415 for %s, with both types', async (type) => {
    const response = await put(type, rowsOf(1))
    expect([response.statusCode, response.headers['accept']]).toEqual([415, 'application/json, text/csv'])
    expect(response.json().message).toBe(
      'The body must be JSON or CSV; send it with Content-Type: application/json or text/csv.',
    )
  })

  test('is 400 with the errors of a CSV, also of an empty one', async () => {
    const response = await put('text/csv', 'bidderId,status\n7,banned')
    const errors = [{ pointer: '/bidders/0/status', message: 'line 2, column status: must be admitted or refused' }]
    expect([response.statusCode, response.json()]).toMatchObject([400, { code: 'validation-failed', errors }])
    expect((await put('text/csv', '')).json()).toMatchObject({ code: 'validation-failed' })
    expect((await put('application/json', rowsOf(1))).json()).toMatchObject({ code: 'malformed-json' })
  })

  test('lists PUT among its methods', async () => {
    expect((await app.inject({ method: 'OPTIONS', url })).headers['allow']).toBe('OPTIONS, PUT')
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(405)
  })
})

test('the document has both media types of a body, and an example of CSV that did not return 400', () => {
  const examples = {
    'A reserve below the starting price, and an extension of more than a week': { body: 'x' },
    'An auction that runs for a week': { body: rowsOf(1) },
  }
  const operation = { ...createAuction, schemas: { ...createAuction.schemas, body }, examples }
  expect(bodyOf(operation).requestBody?.content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/CreateAuctionRequest' }, examples: {} },
    'text/csv': {
      schema: { type: 'string', description: expect.stringContaining('`bidderId` (integer, required)') },
      example: rowsOf(1),
    },
  })
})
