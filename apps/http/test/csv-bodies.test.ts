import { missingField, type Parsed, parseNewAuction, pointerTo, validationFailed } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { addProblems } from '@auction/host/responses'
import { parse as readCsv } from 'csv-parse/sync'
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
import { addBodyParser, type Body, jsonBody, readBody } from '../src/api/requests/json-body.ts'
import { csvHead, csvRows } from '../src/api/responses/csv.ts'
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

const maxBytes = 1024 * 1024

const body = csvBody<Fields, unknown>(jsonBody(Fields, parseFields, { maxBytes }), {
  ...{ listName: 'bidders', columns, required: ['bidderId', 'status'], maxRows: 100 },
})

const parse = <Parsed>(csv: string | Buffer, as: Body<Parsed, unknown>) =>
  as.parse(Buffer.from(csv), { arrivedAtMs: 0, path: undefined })

function errorsOf(csv: string | Buffer, as: Body<unknown, unknown> = body) {
  const parsed = parse(csv, as)
  return parsed.ok ? [] : parsed.refusal.errors.map(({ pointer, message }) => [pointer, message])
}

const anyText = fc.stringMatching(/^[a-z;,"\r\né ]{0,5}x$/)
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
  hasSpacesInHeader: fc.boolean(),
  emptyColumns: fc.nat(3),
  isQuoted: fc.boolean(),
  order: fc.shuffledSubarray([...names], { minLength: names.length }),
})

test('rows in any dialect are the list of the JSON body', () => {
  const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(anyRows, anyDialect, (rows, { bom, delimiter, lineBreak, isQuoted, order, ...dialect }) => {
      const cellOf = (value: unknown = '') =>
        isQuoted || /[;,"\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
      const blankLines = dialect.hasBlankLines ? ['', delimiter.repeat(4), ` ${delimiter}""${delimiter} `] : []
      const header = dialect.hasSpacesInHeader ? order.map((name) => ` ${name} `) : order
      const lines = [header, ...rows.map((row) => order.map((name) => row[name]))].map(
        (cells) => cells.map(cellOf).join(delimiter) + delimiter.repeat(dialect.emptyColumns),
      )
      const csv = bom + [...blankLines, ...lines, ...blankLines, ''].join(lineBreak)
      expect(parse(csv, body)).toEqual(accepted({ bidders: rows }))
    }),
    { numRuns: 200 },
  )
})

const known = 'known columns are bidderId, status, limit, paddle, withdrawBids'
const rowsOf = (count: number) => `bidderId,status\n${'7,admitted\n'.repeat(count)}`
const two = 'bidderId,status\n'
const notUtf8 = 'is not UTF-8; export it as "CSV UTF-8"'
const isOpen = 'has a cell that begins with a double quote and does not end with one'
const noName = 'has text in a column without a name; name the column in the header, or empty its cells'
const quoteRule = 'has a double quote within a cell; put the cell in double quotes, and write the quote in it twice'

test.each<[what: string, csv: string | Buffer, ...messages: string[]]>([
  ['no text', '', `must have a header; ${known}`],
  ['blank lines', '\n\r\n,\n', `must have a header; ${known}`],
  ['a header alone', '\uFEFFbidderId,status\r\n', 'must have a row below the header'],
  [
    'more rows than allowed',
    `${rowsOf(200)}"7",\n`,
    'must have at most 100 rows; it has 201; send it in 3 parts, each with the header',
  ],
  ['text in Latin-1', Buffer.from(`${rowsOf(1)}é`, 'latin1'), `line 3: ${notUtf8}`],
  ['text with a lone surrogate', Buffer.from([0x0d, 0x0a, 0x0a, 0xed, 0xa0, 0x80]), `line 3: ${notUtf8}`],
  ['text in UTF-16', Buffer.from(`\uFEFF${rowsOf(1)}`, 'utf16le'), `line 1: ${notUtf8}`],
  [
    'text in UTF-16 without a mark',
    Buffer.from(rowsOf(1), 'utf16le'),
    'line 1: has the character U+0000; export it as "CSV UTF-8"',
  ],
  [
    'a header with errors',
    '\n\nbidderId,limit,Name,limit,,bidderId\n7,1,Anna,1,,7',
    `line 3: has unknown columns "Name", ""; ${known}`,
    'line 3: repeats the columns "bidderId", "limit"',
    'line 3: lacks the columns "status"',
  ],
  [
    'a header with names in other forms',
    'BidderID,status,Withdraw bids\n7,admitted,true',
    `line 1: has unknown columns "BidderID" (write bidderId), "Withdraw bids" (write withdrawBids); ${known}`,
    'line 1: lacks the columns "bidderId"',
  ],
  ['a quote within a name', 'bidderId,sta"tus\n', `line 1: ${quoteRule}`],
  ['text below an empty name', 'bidderId;status;;\n7;admitted; ;\n8;admitted;;x', `line 3: ${noName}`],
  [
    'a header with names of prototypes',
    'bidderId,status,__proto__,constructor\n7,admitted,1,1',
    `line 1: has unknown columns "__proto__", "constructor"; ${known}`,
  ],
  [
    'a row with fewer cells',
    'bidderId;status\r\n\r\n7;"admi\r\ntted"\r\n8\r\n9\r\n',
    'line 5: must have as many cells as the header, 2; it has 1',
    'line 6: must have as many cells as the header, 2; it has 1',
  ],
  [
    'a row with more cells',
    'bidderId,status,limit\n7,admitted,1,234.50',
    'line 2: must have as many cells as the header, 3; it has 4; put a cell with a delimiter in double quotes',
  ],
  ['a cell without its second quote', 'bidderId,status\n7,"admitted\n8,admitted\n', `line 2: ${isOpen}`],
  ['a quote on the last line', `${rowsOf(1)}"\n`, `line 3: ${isOpen}`],
  ['a quote that hides a delimiter', `${two}7,"5" TV;\n7,"x"\n`, `line 2: ${quoteRule}`],
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
  ['limit', '1.234,50', '1.234,50 has a thousands separator; write 1234.50'],
  ['limit', '1’234.50', '1’234.50 has a thousands separator; write 1234.50'],
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
  expect(parse('bidderId,status,limit,withdrawBids\n7,refused,1234.50,TRUE', body)).toEqual(
    accepted({ bidders: [{ bidderId: 7, status: 'refused', limit: 1234.5, withdrawBids: true }] }),
  )
})

/** A table with inner objects: auctions. */
const lotsTable = {
  listName: 'lots',
  columns: {
    ...({ productId: 'integer', ownerId: 'integer', title: 'text', startingPrice: 'number' } as const),
    ...({ minimumBidIncrement: 'number', currency: 'text', startTime: 'time', endTime: 'time' } as const),
    ...({ 'softClose.windowSeconds': 'integer', 'softClose.latestEndTime': 'time' } as const),
  },
  textObjects: ['metadata'],
  required: ['title'],
  maxRows: 100,
} as const
const LotsFields = v.object({ lots: v.array(v.unknown()) })

/** Lots as they were sent. */
const sentLots = csvBody(
  jsonBody<unknown, unknown>(LotsFields, (input) => accepted(input)),
  lotsTable,
)

/** Lots that have the rules of new auctions. */
const lots = csvBody(
  jsonBody<unknown, unknown>(LotsFields, (input, { arrivedAtMs }) => {
    const errors = v.parse(LotsFields, input).lots.flatMap((lot, index) => {
      const parsed = parseNewAuction(lot, arrivedAtMs)
      return parsed.ok
        ? []
        : parsed.refusal.errors.map((error) => ({ ...error, pointer: `/lots/${index}${error.pointer}` }))
    })
    return errors.length === 0 ? accepted(input) : refused(validationFailed(...errors))
  }),
  lotsTable,
)

test('dots in the names of columns are before the members of inner objects, which empty cells do not create', () => {
  const csv = [
    'metadata.a.b;softClose.windowSeconds;title;metadata.imageUrl;softClose.latestEndTime;metadata.__proto__',
    'x;60;Desk;https://example.com/1.jpg;2030-02-07T12:00:00Z;y',
    ';;Chair;;;',
  ]
  const softClose = { windowSeconds: 60, latestEndTime: '2030-02-07T12:00:00Z' }
  const metadata = { 'a.b': 'x', imageUrl: 'https://example.com/1.jpg', ['__proto__']: 'y' }
  expect(parse(csv.join('\n'), sentLots)).toEqual(
    accepted({ lots: [{ metadata, softClose, title: 'Desk' }, { title: 'Chair' }] }),
  )
})

const lot = {
  ...{ productId: '1', ownerId: '2', title: 'Desk', startingPrice: '100', minimumBidIncrement: '5', currency: 'USD' },
  ...{ startTime: '2030-02-01T12:00:00Z', endTime: '2030-02-07T12:00:00Z' },
}
const inUtc = 'write the time in UTC with Z, such as 2030-02-07T12:00:00Z'
const windowed = 'softClose.windowSeconds'
const nameRule = expect.stringContaining('must have a name of 1 to 40 characters from A-Z')

test.each<[column: string, cell: string, pointer: string, error: unknown]>([
  [windowed, '60.5', '/softClose/windowSeconds', 'must be an integer, such as 1234'],
  [windowed, '-1', '/softClose/windowSeconds', expect.stringContaining('integer from 1')],
  ['metadata.imageUrl', 'x'.repeat(501), '/metadata/imageUrl', 'must be a string of up to 500 characters'],
  ['metadata.a/b~c', 'x', '/metadata/a~1b~0c', nameRule],
  ['metadata.', 'x', '/metadata/', nameRule],
  ['metadata.__proto__', 'x', '/metadata/__proto__', nameRule],
  ...['2030-02-07 12:00', '07.02.2030 12:00', '2/7/2030 1:00:00 PM', '2030-02-07T12:00:00', '2030-02-07'].map(
    (cell): [string, string, string, string] => ['endTime', cell, '/endTime', `${cell} has no time zone; ${inUtc}`],
  ),
  ...['2030-02-07T12:00:00+01:00', '2030-02-07 12:00 -0500'].map((cell): [string, string, string, string] => [
    ...(['endTime', cell, '/endTime', `${cell} is not in UTC; ${inUtc}`] as const),
  ]),
  ['endTime', 'noon', '/endTime', expect.stringContaining('must be a valid UTC date-time')],
  ['endTime', '1'.repeat(100), '/endTime', expect.stringContaining('must be a valid UTC date-time')],
])('in the column %s of a lot, %j is refused', (column, cell, pointer, error) => {
  const row = { ...lot, [column]: cell }
  const csv = [Object.keys(row), Object.values(lot), Object.values(row)].map((cells) => cells.join(';'))
  // The first row has no cell of an added column.
  if (!(column in lot)) csv[1] += ';'
  const [, message = ''] = errorsOf(csv.join('\n'), lots).find(([found]) => found === `/lots/1${pointer}`) ?? []
  const position = `line 3, column ${column}: `
  expect([message.slice(0, position.length), message.slice(position.length)]).toEqual([position, error])
})

test('the document describes inner columns and times', () => {
  expect(lots.csvFormat).toContain('`endTime` (time), `softClose.windowSeconds` (integer)')
  expect(lots.csvFormat).toContain('`metadata.NAME` (text) for each member of `metadata`. An')
  expect(lots.csvFormat).toContain('A time is in UTC, such as 2030-02-07T12:00:00Z.')
})

test('a header with an unknown name lists the forms of all names', () => {
  expect(errorsOf('title;metadata;softclose.windowSeconds\nDesk;x;1', lots)).toEqual([
    [
      '/lots',
      `line 1: has unknown columns "metadata", "softclose.windowSeconds" (write ${windowed}); known columns are ${Object.keys(lotsTable.columns).join(', ')}, metadata.NAME`,
    ],
  ])
})

const full = (part: string, header = '', end = '') =>
  header + part.repeat((maxBytes - header.length - end.length) / part.length) + end
/** Rows that fill the body with quoted text. */
const fullRows = (text: string) => two + `7,"${text.repeat(10_400 / text.length)}"\n`.repeat(100)

/** The mean of several runs: some kernels count CPU time in steps of 4 ms. */
function cpuMicrosOf(runs: number, run: () => unknown): number {
  const start = process.threadCpuUsage()
  for (let left = runs; left > 0; left--) run()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / runs
}
let measured: number | undefined
const zeros = `[${'0,'.repeat(maxBytes / 2 - 1)}0]`
const jsonMicros = () => (measured ??= cpuMicrosOf(30, () => JSON.parse(zeros)))

test.each([
  ['line breaks', full('\n')],
  ['spaces and line breaks', full(' \n')],
  ['delimiters', full(',')],
  ['rows', full('7,x\n', two)],
  ['short rows', full('7\n', two)],
  ['a row of delimiters', full(',', two, 'x')],
  ['repeated columns', full('status,bidderId,')],
  ['other columns', full('xy,')],
  ['quotes', full('"')],
  ['quoted empty cells', full('"",', two, 'x')],
  ['quotes within a cell', full('""', `${two}7,"`, '"')],
  ['line breaks within a cell that does not end', full('\n', `${two}7,"`)],
  ['one long cell', full('9', 'bidderId,status\nx,')],
  ['quoted texts', fullRows('x')],
  ['quoted quotes and line breaks', fullRows('""\nxxxxxxxx')],
  ['groups of digits', full(',123', 'bidderId;status\nx;1')],
  ['U+0000', full('\0')],
  ['bytes that are not UTF-8', Buffer.alloc(maxBytes, 0xff)],
])('1 MiB of %s takes at most ten times as long as as much JSON, and has a short error', (_what, csv) => {
  const errors = errorsOf(csv)
  expect(errors.length).toBeGreaterThan(0)
  expect(JSON.stringify(errors).length).toBeLessThan(3_000)
  expect(cpuMicrosOf(4, () => errorsOf(csv)) / jsonMicros()).toBeLessThan(10)
})

test.each<[what: string, csv: string, message: string]>([
  ['columns', full('a,'), 'line 1: has 524289 cells; a header has at most 500'],
  ['characters', `${two}7,x\n7,${'x'.repeat(65_536)}`, 'line 3: has 65538 characters; a row has at most 65536'],
  ['quotes', `${two}7,x\n7,"${'""'.repeat(1_000)}"`, 'line 3: has 2002 double quotes; a row has at most 2000'],
])('too many %s are refused with their line', (_what, csv, message) => {
  expect(errorsOf(csv)).toEqual([['/bidders', message]])
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

  test.each([
    [32_768, 'validation-failed'],
    [32_769, 'malformed-json'],
  ])('is 400 for a JSON of 1 MiB with %d brackets, colons and commas: %s', async (count, code) => {
    const response = await put(
      'application/json',
      `["${'[,:{'.repeat(20_000)}"${',0'.repeat(count - 1)}]`.padEnd(maxBytes),
    )
    expect([response.statusCode, response.json().code]).toEqual([400, code])
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

test('rows that are written are read by other programs, with an apostrophe before a text that is a formula', () => {
  const anyCell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[=+\-@\t\r;,"\n]{0,3}x?$/))
  const anyResult = fc.record({ lot: anyCell, price: fc.option(fc.double({ noNaN: true }), { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(anyResult), (rows) => {
      const csv = csvHead(['lot', 'price']) + csvRows(['lot', 'price'], rows)
      const expected = rows.map(({ lot, price = '' }) => [/^[=+\-@\t\r]/.test(lot) ? `'${lot}` : lot, String(price)])
      expect(readCsv(csv, { bom: true, record_delimiter: '\r\n' })).toEqual([['lot', 'price'], ...expected])
    }),
  )
})

test('a written CSV has a byte order mark, line breaks of RFC 4180, and quotes where a cell needs them', () => {
  const rows = [
    { lot: '12A', sold: true, price: -1.5 },
    { lot: 'a "b", c', price: undefined },
    { lot: '=1+1', price: 0 },
  ]
  const columns = ['price', 'lot', 'sold'] as const
  expect(csvHead(columns) + csvRows(columns, rows)).toBe(
    '\uFEFFprice,lot,sold\r\n-1.5,12A,true\r\n,"a ""b"", c",\r\n0,\'=1+1,\r\n',
  )
})
