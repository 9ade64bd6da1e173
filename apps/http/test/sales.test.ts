import { StoreUnavailableError } from '@auction/domain/errors'
import { describe, expect, test } from 'vitest'
import { anonymousOf, type Client, clientOf, newCaller, pointersOf, problem } from './support/client.ts'
import { exchange, requestBytes } from './support/raw-connection.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { bidderReader, permissions, reserveReader, saleManaging, tokenOf } from './support/tokens.ts'

const server = await serverOfFile({ environment: { ANONYMOUS_READS: 'on' } })
const staff = [...permissions, saleManaging]
const newStaff = (on: Pick<TestServer, 'url'> = server) => clientOf(on, newCaller({ permissions: staff }))
const csv = { 'content-type': 'text/csv' }

const newSale = {
  title: 'Estate of a clockmaker',
  currency: 'USD',
  startTime: '2030-01-30T12:00:00Z',
  firstEndTime: '2030-02-01T18:00:00Z',
  intervalSeconds: 60,
  lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
}
const ofSealed = { format: 'sealed', startingPrice: 10, pricing: 'first', reveal: 'bids' }
const ofFalling = {
  format: 'falling',
  startingPrice: 90,
  falling: { decrement: 10, intervalSeconds: 60, floorPrice: 10 },
}

/** A sale with these lots, and a member of its staff. */
async function openSale(lots: readonly object[] = [], fields: object = {}, clerk: Client = newStaff()) {
  const created = await clerk.post('/api/Sales', { ...newSale, ...fields })
  const id = Number(created.body.data?.id)
  const path = `/api/Sales/${id}`
  const added = lots.length === 0 ? undefined : await clerk.post(`${path}/Lots`, { lots })
  const ids: readonly number[] = (added?.body.data.lots ?? []).map((lot: { auctionId: number }) => lot.auctionId)
  return { id, path, ids, clerk }
}

const readCsv = (client: Client, path: string, method = 'GET') =>
  client.send(method, `${path}/Lots`, { headers: { accept: 'text/csv' } })

describe('a sale', () => {
  test('is created once for a key, read with an entity tag, and listed newest first', async () => {
    const clerk = newStaff()
    const key = { 'idempotency-key': 'sale' }
    const created = await clerk.post('/api/Sales', newSale, key)
    const { data } = created.body
    expect([created.status, created.headers.get('location')]).toEqual([201, `/api/Sales/${data.id}`])
    expect(data).toEqual({ ...newSale, id: data.id, lotsPerInterval: 1, createdAt: '2030-01-31T12:00:00.000Z' })
    const again = await clerk.post('/api/Sales', newSale, key)
    expect([again.status, again.headers.get('idempotency-replayed'), again.body.data]).toEqual([201, 'true', data])
    expect(await clerk.post('/api/Sales', { ...newSale, title: 'Coins' }, key)).toMatchObject(
      problem(422, 'idempotency-key-reused'),
    )
    const read = await clerk.get(`/api/Sales/${data.id}`)
    const counts = { lots: 0, open: 0, sold: 0, bought: 0, unsold: 0, cancelled: 0 }
    expect(read.body.data).toEqual({ ...data, status: 'Pending', extendedSeconds: 0, extensions: [], counts, total: 0 })
    const headers = { 'if-none-match': read.headers.get('etag') ?? '' }
    expect((await clerk.send('GET', `/api/Sales/${data.id}`, { headers })).status).toBe(304)
    const { id } = await openSale()
    const page = (await clerk.get('/api/Sales?limit=1')).body.data
    expect(page.items).toMatchObject([{ id }])
    expect((await clerk.get(`/api/Sales?limit=1&cursor=${page.nextCursor}`)).body.data.items).toEqual([data])
  })

  test('that is wrong is refused with the pointers of its fields', async () => {
    const wrong = { currency: 'XXX', firstEndTime: '2030-01-30T12:00:00Z', intervalSeconds: 0 }
    const refused = await newStaff().post('/api/Sales', { ...newSale, ...wrong, lotDefaults: { title: 'Desk' } })
    const pointers = ['/currency', '/intervalSeconds', '/lotDefaults/title']
    expect([refused.status, pointersOf(refused)]).toEqual([400, pointers])
    const early = await newStaff().post('/api/Sales', { ...newSale, firstEndTime: newSale.startTime })
    expect([early.status, pointersOf(early)]).toEqual([400, ['/firstEndTime']])
  })

  test.each<[method: string, path: string, body?: object]>([
    ['GET', ''],
    ['GET', '/Lots'],
    ['POST', '/Lots', { lots: [{ lot: '1', title: 'Desk' }] }],
    ['POST', '/Extension', { seconds: 60, reason: 'Outage' }],
    ['POST', '/Cancellation', { lots: ['1'], reason: 'Withdrawn' }],
  ])('that does not exist is a 404 of %s %s', async (method, path, body) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k', accept: 'text/csv' }
    const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
    const response = await newStaff().send(method, `/api/Sales/999${path}`, sent)
    expect(response).toMatchObject(problem(404, 'sale-not-found', { message: 'Sale 999 does not exist.' }))
  })

  test('shows its defaults only to staff, and their reserve only to those who may read reserves', async () => {
    const lotDefaults = { ...newSale.lotDefaults, reservePrice: 90 }
    const { path } = await openSale([], { lotDefaults })
    const reader = clientOf(server, newCaller({ permissions: [...staff, reserveReader] }))
    const seen = async (client: Client) => (await client.get(path)).body.data.lotDefaults
    expect(await seen(reader)).toEqual(lotDefaults)
    expect(await seen(newStaff())).toEqual(newSale.lotDefaults)
    for (const client of [clientOf(server, newCaller()), anonymousOf(server)]) {
      expect(await seen(client)).toBeUndefined()
      expect((await client.get('/api/Sales?limit=1')).text).not.toContain('lotDefaults')
    }
  })

  test('is read by anyone where the service lets anyone read, and changed by staff only', async () => {
    const { path, ids } = await openSale([{ lot: '1', title: 'Desk' }])
    const anonymous = anonymousOf(server)
    for (const read of ['/api/Sales', path, `${path}/Lots`]) {
      const response = await anonymous.get(read)
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=1'])
    }
    expect((await readCsv(anonymous, path)).text).toContain(`1,${ids[0]},Desk,`)
    const changes = [
      ['/api/Sales', newSale],
      [`${path}/Lots`, { lots: [{ lot: '2', title: 'Desk' }] }],
      [`${path}/Extension`, { seconds: 60, reason: 'Outage' }],
      [`${path}/Cancellation`, { lots: ['1'], reason: 'Withdrawn' }],
    ] as const
    for (const [changed, body] of changes) {
      expect(await anonymous.post(changed, body)).toMatchObject(problem(401, 'unauthenticated'))
      const refused = await clientOf(server, newCaller()).post(changed, body)
      expect(refused).toMatchObject(problem(403, 'forbidden'))
      expect(refused.headers.get('www-authenticate')).toContain(`scope="${saleManaging}"`)
    }
  })

  test('needs a token, and the permission if one is named, where the service does not let anyone read', async () => {
    const closed = await startServer({ environment: { PERMISSIONS_SALES_READ: 'see-sales' } })
    const { path } = await openSale([], {}, newStaff(closed))
    for (const read of ['/api/Sales', path, `${path}/Lots`]) {
      expect((await anonymousOf(closed).get(read)).status).toBe(401)
      expect((await newStaff(closed).get(read)).status).toBe(403)
      const reader = clientOf(closed, tokenOf('reader', { permissions: ['see-sales'] }))
      expect((await reader.get(read)).status).toBe(200)
    }
  })
})

describe('lots', () => {
  test('are added once, in the format of each, and are auctions that know their sale', async () => {
    const { id, path, clerk } = await openSale()
    const lots = [
      { lot: '1', title: 'Clock' },
      { lot: '2', title: 'Letters', ...ofSealed },
      { lot: '3', title: 'Roses', ...ofFalling },
    ]
    const added = await clerk.post(`${path}/Lots`, { lots }, { 'idempotency-key': 'lots' })
    if (!added.body.success) throw new Error(added.text)
    const rows = added.body.data.lots
    expect([added.status, added.headers.get('location')]).toEqual([200, null])
    expect(rows).toMatchObject([
      { lot: '1', endTime: '2030-02-01T18:00:00.000Z' },
      { lot: '2', endTime: '2030-02-01T18:01:00.000Z' },
      { lot: '3', endTime: '2030-02-01T18:02:00.000Z' },
    ])
    const again = await clerk.post(`${path}/Lots`, { lots }, { 'idempotency-key': 'lots' })
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([200, 'true', added.body])
    expect((await clerk.post(`${path}/Lots`, { lots })).body).toEqual(added.body)
    const read = await clerk.get(`/api/Auctions/${rows[1].auctionId}`)
    expect(read.body.data).toMatchObject({ saleId: id, lot: '2', format: 'sealed', startTime: newSale.startTime })
    const { items } = (await clerk.get(`${path}/Lots`)).body.data
    expect(items.map(({ lot, format }: Record<string, string>) => [lot, format])).toEqual([
      ['1', undefined],
      ['2', 'sealed'],
      ['3', 'falling'],
    ])
    // The price of a falling lot is that of a purchase now; a sealed lot has none.
    expect(items.map(({ currentPrice }: Record<string, number>) => currentPrice)).toEqual([10, undefined, 10])
  })

  test('come from a spreadsheet, whose errors have lines and columns, and are tried without a change', async () => {
    const { path, clerk } = await openSale()
    const wrong = 'lot;title;startingPrice\n1;Desk;10\n2;;"1,200.50"\n02;Chair;5\n'
    const refused = await clerk.post(`${path}/Lots`, wrong, csv)
    expect([refused.status, pointersOf(refused)]).toEqual([400, ['/lots/1/startingPrice', '/lots/2/lot']])
    expect(refused.body.errors[0].message).toMatch(/^line 3, column startingPrice: 1,200.50 /)
    const unknown = await clerk.post(`${path}/Lots`, 'lot,titel\n1,Desk\n', csv)
    expect(unknown.body.errors[0].message).toMatch(
      /^line 1: has unknown columns "titel"; known columns are lot, title,/,
    )
    const right = '\uFEFFtitle;lot;metadata.imageUrl\r\nDesk;1;desk.jpg\r\n"Chair; oak";1A;\r\n'
    const tried = await clerk.post(`${path}/Lots?check=true`, right, csv)
    const endTime = '2030-02-01T18:00:00.000Z'
    expect(tried.body.data.lots).toEqual([
      { lot: '1', endTime },
      { lot: '1A', endTime },
    ])
    expect((await clerk.get(`${path}/Lots`)).body.data.items).toEqual([])
    expect((await clerk.post(`${path}/Lots`, right, csv)).status).toBe(200)
    const { items } = (await clerk.get(`${path}/Lots`)).body.data
    expect(items).toMatchObject([
      { title: 'Desk', metadata: { imageUrl: 'desk.jpg' } },
      { title: 'Chair; oak', lot: '1A' },
    ])
  })

  test('are refused together, with the pointers of all that are wrong', async () => {
    const { path, clerk } = await openSale([{ lot: '1', title: 'Desk' }])
    const lots = [
      { lot: '2', title: 'Chair' },
      { lot: '3', title: 'Shelf', startingPrice: 1.234 },
      { lot: '4', title: 'Lamp', currency: 'EUR' },
      { lot: '5', title: 'Bed', endTime: '2030-01-31T11:00:00Z' },
    ]
    const refused = await clerk.post(`${path}/Lots`, { lots })
    const pointers = ['/lots/1/startingPrice', '/lots/2/currency', '/lots/3/endTime']
    expect([refused.status, pointersOf(refused)]).toEqual([400, pointers])
    const taken = await clerk.post(`${path}/Lots`, { lots: [lots[0], { lot: '1', title: 'Table' }] })
    expect(taken).toMatchObject(
      problem(409, 'lot-taken', {
        message: 'The sale has these lots with other content: 1; nothing was added.',
        lots: ['1'],
      }),
    )
    expect((await clerk.get(`${path}/Lots`)).body.data.items).toHaveLength(1)
  })

  test('are up to 1 MiB of a body, which is parsed only for those who may add them', async () => {
    const { path, clerk } = await openSale()
    const bytes = 1024 * 1024
    const full = `{"lots":"${'x'.repeat(bytes - 11)}"}`
    expect(Buffer.byteLength(full)).toBe(bytes)
    expect(pointersOf(await clerk.post(`${path}/Lots`, full))).toEqual(['/lots'])
    for (const headers of [{}, csv]) {
      expect(await clerk.post(`${path}/Lots`, `${full} `, headers)).toMatchObject(problem(413, 'payload-too-large'))
    }
    // The head suffices for the refusal: the server does not wait for the body.
    const authorization = `Bearer ${newCaller()}`
    const declared = { authorization, 'content-type': 'text/csv', 'content-length': String(bytes) }
    const refused = await exchange(server.port, requestBytes('POST', `${path}/Lots`, declared))
    expect(refused).toMatch(/^HTTP\/1\.1 403 /)
    const unread = await clerk.post('/api/Sales', `${' '.repeat(64 * 1024)}${JSON.stringify(newSale)}`)
    expect(unread).toMatchObject(problem(413, 'payload-too-large'))
  })

  test('are listed page by page, with a cursor of this list only', async () => {
    const { path, clerk } = await openSale(['10', '2', '2A'].map((lot) => ({ lot, title: lot })))
    const first = (await clerk.get(`${path}/Lots?limit=2`)).body.data
    const rest = (await clerk.get(`${path}/Lots?limit=2&cursor=${first.nextCursor}`)).body.data
    expect([...first.items, ...rest.items].map(({ lot }) => lot)).toEqual(['2', '2A', '10'])
    expect(rest.nextCursor).toBeNull()
    const { path: other } = await openSale()
    for (const cursor of [first.nextCursor, 'x']) {
      const foreign = await clerk.get(`${other}/Lots?cursor=${cursor}`)
      expect([foreign.status, pointersOf(foreign)]).toEqual([400, ['/cursor']])
    }
  })
})

describe('the extension of a sale', () => {
  test('needs a key, moves each lot without a result once, and those that are added later', async () => {
    const { path, clerk, ids } = await openSale([
      { lot: '1', title: 'Desk' },
      { lot: '2', title: 'Chair', buyNowPrice: 80 },
    ])
    await clerk.post(`/api/Auctions/${ids[1]}/Purchase`, { buyerId: 2 })
    const body = { seconds: 600, reason: 'The site could not be reached.' }
    const keyless = await clerk.post(`${path}/Extension`, body)
    expect([keyless.status, pointersOf(keyless)]).toEqual([400, ['/Idempotency-Key']])
    const key = { 'idempotency-key': 'outage' }
    const wrong = await clerk.post(`${path}/Extension`, { seconds: 0, reason: '' }, key)
    expect([wrong.status, pointersOf(wrong)]).toEqual([400, ['/seconds', '/reason']])
    const moved = [
      { lot: '1', auctionId: ids[0], outcome: 'extended', endTime: '2030-02-01T18:10:00.000Z' },
      { lot: '2', auctionId: ids[1], outcome: 'auction-ended' },
    ]
    for (const replayed of [null, 'true']) {
      const extended = await clerk.post(`${path}/Extension`, body, key)
      expect([extended.status, extended.headers.get('idempotency-replayed')]).toEqual([200, replayed])
      expect(extended.body.data.lots).toEqual(moved)
    }
    expect(await clerk.post(`${path}/Extension`, { ...body, seconds: 60 }, key)).toMatchObject(
      problem(422, 'idempotency-key-reused'),
    )
    const late = await clerk.post(`${path}/Lots`, { lots: [{ lot: '3', title: 'Lamp' }] })
    expect(late.body.data.lots).toMatchObject([{ endTime: '2030-02-01T18:12:00.000Z' }])
    expect((await clerk.get(path)).body.data).toMatchObject({ extendedSeconds: 600, status: 'Active' })
  })
})

describe('the cancellation of lots', () => {
  test('gives each lot its outcome, keeps the first reason, and counts', async () => {
    const { path, clerk, ids } = await openSale(['1', '2', '3'].map((lot) => ({ lot, title: lot })))
    await clerk.placeBid({ auctionId: ids[0], amount: 20 })
    const cancel = (lots: readonly string[], reason: string) => clerk.post(`${path}/Cancellation`, { lots, reason })
    const first = await cancel(['1', '9A'], 'Withdrawn by the seller')
    expect([first.status, first.body.data.lots]).toEqual([
      200,
      [
        { lot: '1', auctionId: ids[0], outcome: 'cancelled' },
        { lot: '9A', outcome: 'lot-not-found' },
      ],
    ])
    expect((await cancel(['2', '1'], 'Another reason')).body.data.lots).toMatchObject([
      { outcome: 'cancelled' },
      { outcome: 'cancelled' },
    ])
    const { result } = (await clerk.get(`/api/Auctions/${ids[0]}`)).body.data
    expect(result).toEqual({ outcome: 'cancelled', reason: 'Withdrawn by the seller' })
    expect((await clerk.get(path)).body.data.counts).toMatchObject({ lots: 3, open: 1, cancelled: 2 })
    const wrong = await cancel(['01', '1'], 'Withdrawn')
    expect([wrong.status, pointersOf(wrong)]).toEqual([400, ['/lots/0']])
  })
})

describe('the CSV of a sale', () => {
  const columns = 'lot,auctionId,title,status,outcome,price,currency,winnerId,paddle,bidCount,effectiveEndTime'

  test('has every lot with its result, and no price of one without', async () => {
    const { id, path, clerk, ids } = await openSale([
      { lot: '1', title: 'Clock, "gilt"' },
      { lot: '2', title: 'Chair', buyNowPrice: 80.5 },
      { lot: '3', title: 'Letters', ...ofSealed },
      { lot: '4', title: '=1+1' },
      { lot: '5', title: 'Roses', ...ofFalling },
      { lot: '6', title: 'Lamp', endTime: '2030-03-01T00:00:00Z' },
    ])
    const [clock, chair, letters, formula, roses, lamp] = ids
    await clerk.placeBid({ auctionId: clock, amount: 20 })
    await clerk.placeBid({ auctionId: letters, amount: 30 })
    await clerk.placeBid({ auctionId: lamp, amount: 25 })
    await clerk.post(`/api/Auctions/${chair}/Purchase`, { buyerId: 3 })
    await clerk.post(`${path}/Cancellation`, { lots: ['4'], reason: 'Withdrawn' })
    const before = await readCsv(clerk, path)
    expect(before.text.split('\r\n')).toContain(`3,${letters},Letters,Active,,,USD,,,,2030-02-01T18:02:00.000Z`)
    server.clock.set('2030-02-02T00:00:00Z')
    await server.service.closeDue()
    const response = await readCsv(clerk, path)
    const { headers } = response
    expect([response.status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="sale-${id}-lots.csv"`)
    expect([headers.get('vary'), headers.get('cache-control')]).toEqual(['Accept', 'no-store'])
    const day = '2030-02-01T18'
    expect(response.text).toBe(
      [
        // Fetch removes the byte order mark.
        columns,
        `1,${clock},"Clock, ""gilt""",Ended,sold,20,USD,2,,1,${day}:00:00.000Z`,
        `2,${chair},Chair,Ended,bought,80.5,USD,3,,0,${day}:01:00.000Z`,
        `3,${letters},Letters,Ended,sold,30,USD,2,,,${day}:02:00.000Z`,
        `4,${formula},'=1+1,Cancelled,cancelled,,USD,,,0,${day}:03:00.000Z`,
        `5,${roses},Roses,Ended,unsold,,USD,,,,${day}:04:00.000Z`,
        `6,${lamp},Lamp,Active,,,USD,,,1,2030-03-01T00:00:00Z`,
        '',
      ].join('\r\n'),
    )
    expect((await clerk.get(path)).body.data).toMatchObject({ total: 130.5, counts: { sold: 2, bought: 1, open: 1 } })
    const page = await clerk.get(`${path}/Lots`)
    expect(page.headers.get('vary')).toBe('Accept')
  })

  test('has pseudonyms for callers who may not see the ids of bidders', async () => {
    const hiding = await startServer({ environment: { PSEUDONYM_SECRET: 'a secret of more than thirty-two bytes' } })
    const clerk = newStaff(hiding)
    const { path, ids } = await openSale([{ lot: '1', title: 'Chair', buyNowPrice: 80 }], {}, clerk)
    await clerk.post(`/api/Auctions/${ids[0]}/Purchase`, { buyerId: 3 })
    const winnerFor = async (client: Client) => (await readCsv(client, path)).text.split('\r\n')[1]?.split(',')[7]
    expect(await winnerFor(clerk)).toMatch(/^-\d+$/)
    expect(await winnerFor(clientOf(hiding, tokenOf('reader', { permissions: [bidderReader] })))).toBe('3')
  })

  test('is whole, without pages, and has no body for HEAD', async () => {
    const { path, clerk } = await openSale()
    for (let from = 0; from < 300; from += 100) {
      const lots = Array.from({ length: 100 }, (_, index) => ({ lot: String(from + index + 1), title: 'Plate' }))
      expect((await clerk.post(`${path}/Lots`, { lots })).status).toBe(200)
    }
    const lines = (await readCsv(clerk, path)).text.split('\r\n')
    const numbers = Array.from({ length: 300 }, (_, index) => `${index + 1}`)
    expect(lines.map((line) => line.split(',')[0])).toEqual(['lot', ...numbers, ''])
    const head = await readCsv(clerk, path, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/csv; charset=utf-8'])
    for (const name of ['limit=2', 'cursor=bG90cy8xMyAyNw']) {
      const paged = await clerk.send('GET', `${path}/Lots?${name}`, { headers: { accept: 'text/csv' } })
      expect([paged.status, pointersOf(paged)]).toEqual([400, [`/${name.split('=')[0]}`]])
    }
  })

  test('is cut if the store fails in the middle, so that no client takes a part for the whole', async () => {
    let reads = 0
    const failing = await startServer({
      replaceInStore: (store) => ({
        async findHeads(ids) {
          if (ids.length > 1 && ++reads > 1) throw new StoreUnavailableError('planted')
          return store.findHeads(ids)
        },
      }),
    })
    const clerk = newStaff(failing)
    const { path } = await openSale([], {}, clerk)
    for (const from of [0, 100]) {
      const lots = Array.from({ length: 100 }, (_, index) => ({ lot: String(from + index + 1), title: 'Plate' }))
      await clerk.post(`${path}/Lots`, { lots })
    }
    reads = 0
    await expect(readCsv(clerk, path)).rejects.toThrow('terminated')
    await failing.logged(/"code":"store-unavailable"/)
  })
})
