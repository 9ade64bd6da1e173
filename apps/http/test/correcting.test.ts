import { describe, expect, test } from 'vitest'
import { type ApiResponse, type AuctionClient, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { serverOfFile } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { correcting, correctingOwn, permissions, reserveReader, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

const all = { permissions: [...permissions, correcting] }
const staff = (claims: object = {}) => newCaller({ ...all, ...claims })
const merge = 'application/merge-patch+json'
const any = { 'if-match': '*' }

const tagOf = ({ headers }: ApiResponse): string => headers.get('etag') ?? ''
const pathOf = ({ id }: AuctionClient): string => `/api/Auctions/${id}`
const openCorrectable = (fields: object = {}) => openAuction(server, fields, staff())
const readTag = async (auction: AuctionClient): Promise<string> => tagOf(await auction.get(pathOf(auction)))
const correct = (auction: AuctionClient, fields: object, headers: Readonly<Record<string, string>> = any) =>
  auction.patch(pathOf(auction), fields, headers)

describe('a correction', () => {
  test('returns the auction as a read does, with the entity tag of that', async () => {
    const auction = await openCorrectable()
    const before = await auction.get(pathOf(auction))
    const corrected = await correct(auction, { title: 'Oak desk', description: null }, { 'if-match': tagOf(before) })
    expect(corrected.status).toBe(200)
    expect(corrected.headers.get('location')).toBeNull()
    expect(corrected.headers.get('cache-control')).toBe('no-store')
    const { description: _, ...others } = before.body.data
    const correctedAt = '2030-01-31T12:00:00.000Z'
    expect(corrected.body.data).toEqual({ ...others, title: 'Oak desk', correctedAt })
    const after = await auction.get(pathOf(auction))
    const { now: __, ...read } = after.body
    expect(corrected.body).toEqual(read)
    expect(tagOf(corrected)).toBe(tagOf(after))
    expect(tagOf(corrected)).not.toBe(tagOf(before))
    expect(before.body.data.correctedAt).toBeNull()
    const { items } = (await auction.get('/api/Auctions?limit=1')).body.data
    expect(items).toMatchObject([{ id: auction.id, title: 'Oak desk', correctedAt }])
  })

  test('removes texts from every read, list, search, page of events and stream, also of earlier states', async () => {
    const texts = { title: 'Insult', description: 'Insulting', metadata: { pictureUrl: 'https://insult.example/1' } }
    const auction = await openCorrectable({ ...texts, buyNowPrice: 900 })
    const path = pathOf(auction)
    await correct(auction, { ...texts, title: 'Insult 2' })
    await correct(auction, { title: 'Desk', description: null, metadata: null })
    const { createdAt } = await auction.read()
    expect((await auction.buyNow()).status).toBe(201)
    const earlier = ['0', '1', '2', '3', createdAt].map((at) => `${path}?at=${at}`)
    const events = [`${path}/Events`, `${path}/Repairs`, `/api/Auctions/Events?ids=${auction.id}`]
    const lists = [`/api/Auctions?ids=${auction.id}`, '/api/Auctions?limit=1', '/api/Bids?bidderId=2']
    for (const read of [path, ...earlier, ...events, ...lists]) {
      const { status, text } = await auction.get(read)
      expect([status, text], read).toEqual([200, expect.not.stringMatching(/insult/i)])
    }
    expect((await auction.get('/api/Auctions?q=insult')).body.data.items).toEqual([])
    for (const stream of [`${path}/Events`, `${path}/Events?after=0`, `/api/Auctions/Events?ids=${auction.id}`]) {
      const opened = await openStream(server, stream, newCaller())
      await opened.rest()
      expect(opened.text(), stream).toMatch(/sequence/)
      expect(opened.text(), stream).not.toMatch(/insult/i)
    }
  })
})

describe('If-Match', () => {
  test.each([
    { sent: 'the tag', header: (tag: string) => tag, status: 200 },
    { sent: 'the tag in a list', header: (tag: string) => `"x", W/"y" ,${tag},"z"`, status: 200 },
    { sent: '*', header: () => '*', status: 200 },
    { sent: 'another tag', header: () => '"x"', status: 412 },
    { sent: 'other tags', header: () => '"x", "", "y,z"', status: 412 },
    { sent: 'the tag, marked as weak', header: (tag: string) => `W/${tag}`, status: 412 },
  ])('with $sent is $status', async ({ header, status }) => {
    const auction = await openCorrectable()
    const response = await correct(auction, { title: 'Oak desk' }, { 'if-match': header(await readTag(auction)) })
    expect(response.status).toBe(status)
    expect((await auction.read()).title).toBe(status === 200 ? 'Oak desk' : 'Walnut desk')
  })

  test.each(['', 'x', '"x', 'x"', '"x" "y"', '"x",', ',"x"', '*, "x"', '"x", *', 'w/"x"', '"x"y"', "'x'"])(
    'as %j is 400',
    async (sent) => {
      const auction = await openCorrectable()
      const response = await unchanged(server, () => correct(auction, { title: '' }, { 'if-match': sent }))
      expect(response).toMatchObject(problem(400, 'validation-failed'))
      expect(pointersOf(response)).toEqual(['/If-Match', '/title'])
      expect(response.body.errors[0].message).toBe('must be * or ETags of the resource, in quotes')
    },
  )

  test('is required', async () => {
    const auction = await openCorrectable()
    expect(await unchanged(server, () => correct(auction, { title: 'Oak desk' }, {}))).toMatchObject(
      problem(428, 'precondition-required', {
        message: 'The request needs an If-Match header with the ETag of the resource, as the last read returned it.',
      }),
    )
  })

  test('with a tag from before the start does not match', async () => {
    const auction = await openCorrectable({ startTime: '2030-01-31T12:30:00Z' })
    const pending = await readTag(auction)
    server.clock.set('2030-01-31T12:45:00Z')
    expect((await correct(auction, { title: 'Pine desk' }, { 'if-match': pending })).status).toBe(412)
  })
})

describe('the body of a correction', () => {
  test.each<{ readonly body: unknown; readonly pointers: readonly string[] }>([
    { body: {}, pointers: [''] },
    { body: 'null', pointers: [''] },
    { body: { title: 1, description: 2 }, pointers: ['/title', '/description'] },
    { body: { title: 'Oak desk', id: 1, ownerId: 1 }, pointers: ['/id', '/ownerId'] },
    { body: { currency: 'EUR' }, pointers: ['', '/currency'] },
    { body: { startingPrice: 0.001, endTime: '2030-01-31T12:00:00Z' }, pointers: ['/startingPrice', '/endTime'] },
    { body: { startTime: '2030-02-01T00:00:00Z' }, pointers: ['/startTime'] },
    {
      body: { metadata: { color: 7 }, softClose: { windowSeconds: 1 } },
      pointers: ['/softClose/extensionSeconds', '/softClose/latestEndTime', '/metadata/color'],
    },
  ])('$body is 400', async ({ body, pointers }) => {
    const auction = await openCorrectable()
    const response = await unchanged(server, () => auction.patch(pathOf(auction), body, any))
    expect(response).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(response)).toEqual(pointers)
  })

  test.each(['application/json; charset=utf-8', 'text/plain', 'application/json-patch+json'])(
    'as %s is 415, with the type that is accepted',
    async (type) => {
      const auction = await openCorrectable()
      const response = await unchanged(server, () => correct(auction, { title: 'A' }, { ...any, 'content-type': type }))
      const message = `The body must be JSON; send it with Content-Type: ${merge}.`
      expect(response).toMatchObject(problem(415, 'unsupported-media-type', { message }))
      expect(response.headers.get('accept-patch')).toBe(merge)
    },
  )

  test('may name its type with a parameter, and in any case', async () => {
    const auction = await openCorrectable()
    const headers = { ...any, 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' }
    expect((await correct(auction, { title: 'A' }, headers)).status).toBe(200)
  })

  test('has a type that other operations refuse', async () => {
    const auction = await openCorrectable()
    const response = await auction.placeBid({}, { 'content-type': merge })
    const message = 'The body must be JSON; send it with Content-Type: application/json.'
    expect(response).toMatchObject(problem(415, 'unsupported-media-type', { message }))
    expect(response.headers.get('accept')).toBe('application/json')
  })
})

describe('an owner', () => {
  const token = (uid: number | null, ...names: readonly string[]) =>
    tokenOf(`user ${uid}`, { uid, permissions: [...permissions, ...names] })
  const open = () => openAuction(bound, { ownerId: 1, reservePrice: 150 }, token(1, correctingOwn))

  test('corrects their own auction, which others cannot without Auctions.Update.Any', async () => {
    const auction = await open()
    const message =
      'This token identifies another user; only the owner can correct the auction without the permission Auctions.Update.Any.'
    expect((await correct(auction, { reservePrice: 160, startingPrice: 120 })).body.data.reservePrice).toBe(160)
    const other = auction.as(token(2, correctingOwn))
    expect(await unchanged(bound, () => correct(other, { title: 'A' }))).toMatchObject(
      problem(403, 'forbidden', { message }),
    )
    expect((await correct(auction.as(token(2, correcting)), { title: 'A' })).status).toBe(200)
    expect((await correct(auction.as(token(null, correcting)), { title: 'B' })).status).toBe(200)
    const unknown = auction.as(token(null, correctingOwn))
    expect(await unchanged(bound, () => correct(unknown, { title: 'A' }))).toMatchObject(problem(403, 'forbidden'))
    const unpermitted = await correct(auction.as(token(1)), { title: 'A' })
    expect(unpermitted).toMatchObject(problem(403, 'forbidden'))
    expect(unpermitted.headers.get('www-authenticate')).toContain('scope="auction-service:Auctions:Update"')
  })

  test('is unknown if callers are not bound, so that others are needed', async () => {
    const auction = await openAuction(server, {}, newCaller({ permissions: [...permissions, correctingOwn] }))
    const message =
      'This service does not bind callers to users, so it does not know the owners; correcting needs the permission Auctions.Update.Any.'
    expect(await unchanged(server, () => correct(auction, { title: 'A' }))).toMatchObject(
      problem(403, 'forbidden', { message }),
    )
  })

  test('has a reserve that staff cannot find by correcting prices', async () => {
    const auction = await open()
    const editor = auction.as(token(2, correcting))
    for (const fields of [{ startingPrice: 120 }, { startingPrice: 151 }, { buyNowPrice: 140 }, { buyNowPrice: 900 }]) {
      const response = await unchanged(bound, () => correct(editor, fields))
      expect(pointersOf(response)).toEqual(['/reservePrice'])
    }
    expect((await correct(editor, { startingPrice: 120, reservePrice: 130 })).status).toBe(200)
    expect((await correct(auction.as(token(2, correcting, reserveReader)), { startingPrice: 125 })).status).toBe(200)
  })
})

describe('the editor of a correction', () => {
  const editorOf = async (id: number): Promise<unknown> => {
    const [entry] = await bound.store.listEntries(id as Parameters<typeof bound.store.listEntries>[0], { limit: 1 })
    return entry?.event.type === 'corrected' ? entry.event.editor : undefined
  }

  test.each([
    { is: 'the user of the caller, who need not be the owner', claims: { uid: 9 }, editor: /^9$/ },
    { is: 'otherwise a hash', claims: { sub: 'moderator@example.com' }, editor: /^[\w-]{43}$/ },
  ])('is $is', async ({ claims, editor }) => {
    const auction = await openAuction(bound, {}, tokenOf('anna', { uid: 1 }))
    expect((await correct(auction.as(staff(claims)), { title: 'A' })).status).toBe(200)
    expect(await editorOf(auction.id)).toMatch(editor)
  })
})
