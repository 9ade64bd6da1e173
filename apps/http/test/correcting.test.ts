import { describe, expect, test } from 'vitest'
import {
  type Answer,
  type AuctionClient,
  clientOf,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { serverOfFile } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { correcting, permissions, reserveReader, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const limited = await serverOfFile({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1000000' } })

const all = { permissions: [...permissions, correcting] }
const staff = (claims: object = {}) => newCaller({ ...all, ...claims })
const merge = 'application/merge-patch+json'
const text = { 'content-type': 'text/plain' }
const any = { 'if-match': '*' }

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? ''
const pathOf = ({ id }: AuctionClient): string => `/api/Auctions/${id}`
const openCorrectable = (fields: object = {}) => openAuction(server, fields, staff())
const readTag = async (auction: AuctionClient): Promise<string> => tagOf(await auction.get(pathOf(auction)))
const correct = (auction: AuctionClient, fields: object, headers: Readonly<Record<string, string>> = any) =>
  auction.patch(pathOf(auction), fields, headers)
const precondition = problem(412, 'precondition-failed', {
  message:
    'If-Match does not contain the current ETag of the auction. Read the auction, and send the correction with its ETag.',
})

describe('a correction', () => {
  test('returns the auction as a read does, with the entity tag of that', async () => {
    const auction = await openCorrectable()
    const before = await auction.get(pathOf(auction))
    const texts = { title: 'Oak desk', description: null }
    const corrected = await correct(auction, texts, { 'if-match': tagOf(before) })
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

  test('keeps what it does not name, and each one returns the next entity tag', async () => {
    const auction = await openCorrectable()
    const first = await correct(auction, { title: null }, { 'if-match': await readTag(auction) })
    const second = await correct(auction, { description: 'Worn.' }, { 'if-match': tagOf(first) })
    expect(first.body.data).not.toHaveProperty('title')
    expect(second.body.data).toMatchObject({ description: 'Worn.' })
    expect(second.body.data).not.toHaveProperty('title')
    expect(await auction.read()).toEqual(second.body.data)
  })

  test('is in the responses to bids, purchases and cancellations after it', async () => {
    const [bought, called] = [await openCorrectable({ buyNowPrice: 500 }), await openCorrectable()]
    const texts = { title: 'Oak desk', description: 'Worn.' }
    for (const auction of [bought, called]) expect((await correct(auction, texts)).status).toBe(200)
    expect((await bought.buyNow()).body.data).toMatchObject(texts)
    expect((await called.cancelAuction()).body.data).toMatchObject(texts)
  })

  test('accepts texts as long as a new auction does', async () => {
    const auction = await openCorrectable()
    const texts = { title: '🏺'.repeat(200), description: '🏺'.repeat(10_000) }
    expect((await correct(auction, texts)).body.data).toMatchObject(texts)
    expect(await auction.read()).toMatchObject(texts)
  })

  test('shows the reserve only to those who may read it, whose entity tag differs', async () => {
    const auction = await openCorrectable({ reservePrice: 150 })
    const auditor = auction.as(staff({ permissions: [...all.permissions, reserveReader] }))
    expect((await correct(auction, { title: 'A' })).body.data).not.toHaveProperty('reservePrice')
    const tag = await readTag(auction)
    expect(await correct(auditor, { title: 'B' }, { 'if-match': tag })).toMatchObject(precondition)
    const corrected = await correct(auditor, { title: 'B' }, { 'if-match': await readTag(auditor) })
    expect(corrected.body.data).toMatchObject({ title: 'B', reservePrice: 150 })
  })
})

describe('If-Match', () => {
  test.each([
    ['the tag', (tag: string) => tag, 200],
    ['the tag in a list', (tag: string) => `"x", W/"y" ,${tag},"z"`, 200],
    ['*', () => '*', 200],
    ['another tag', () => '"x"', 412],
    ['other tags', () => '"x", "", "y,z"', 412],
    ['the tag, marked as weak', (tag: string) => `W/${tag}`, 412],
  ])('with %s is %3$d', async (_, sent, status) => {
    const auction = await openCorrectable()
    const headers = { 'if-match': sent(await readTag(auction)) }
    const answer = await correct(auction, { title: 'Oak desk' }, headers)
    expect(answer.status).toBe(status)
    if (status === 412) expect(answer).toMatchObject(precondition)
    expect((await auction.read()).title).toBe(status === 200 ? 'Oak desk' : 'Walnut desk')
  })

  test.each(['', 'x', '"x', 'x"', '"x" "y"', '"x",', ',"x"', '*, "x"', '"x", *', 'w/"x"', '"x"y"', "'x'"])(
    'as %j is 400',
    async (sent) => {
      const auction = await openCorrectable()
      const answer = await unchanged(server, () => correct(auction, { title: '' }, { 'if-match': sent }))
      expect(answer).toMatchObject(problem(400, 'validation-failed'))
      expect(pointersOf(answer)).toEqual(['/If-Match', '/title'])
      expect(answer.body.errors[0].message).toBe('must be * or ETags of the resource, in quotes')
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

  test('with a tag of before a bid, a correction or the start does not match', async () => {
    const auction = await openCorrectable()
    const tag = await readTag(auction)
    await correct(auction, { title: 'Oak desk' })
    expect(await correct(auction, { title: 'Pine desk' }, { 'if-match': tag })).toMatchObject(precondition)
    const later = await openCorrectable({ startTime: '2030-01-31T12:30:00Z' })
    const pending = await readTag(later)
    server.clock.set('2030-01-31T12:45:00Z')
    expect(await correct(later, { title: 'Pine desk' }, { 'if-match': pending })).toMatchObject(precondition)
    expect((await correct(later, { title: 'Pine desk' }, { 'if-match': await readTag(later) })).status).toBe(200)
    server.clock.set('2030-01-31T12:00:00Z')
  })

  test('lets only one of several concurrent corrections replace a state', async () => {
    const auction = await openCorrectable()
    const headers = { 'if-match': await readTag(auction) }
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) => correct(auction.as(staff()), { title }, headers)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
    const winner = answers.find(({ status }) => status === 200)
    expect(await auction.read()).toEqual(winner?.body.data)
  })
})

describe('the body of a correction', () => {
  test.each<[what: string, body: unknown, pointers: readonly string[]]>([
    ['no member', {}, ['']],
    ['an empty title', { title: '' }, ['/title']],
    ['a long title', { title: 'x'.repeat(201) }, ['/title']],
    ['a title with a lone surrogate', '{"title":"\\ud800"}', ['/title']],
    ['a title that is a number', { title: 7 }, ['/title']],
    ['a long description', { description: 'x'.repeat(10_001) }, ['/description']],
    ['a description that is a list', { description: ['x'] }, ['/description']],
    ['two wrong texts', { title: 1, description: 2 }, ['/title', '/description']],
    ['a field that stays', { title: 'Oak desk', startingPrice: 1 }, ['/startingPrice']],
    ['an assigned field', { title: 'Oak desk', id: 1, status: 'Active' }, ['/id', '/status']],
    ['only a field that stays', { endTime: '2031-01-01T00:00:00Z' }, ['', '/endTime']],
    ['a list', [], ['']],
    ['null', 'null', ['']],
  ])('with %s is 400', async (_, body, pointers) => {
    const auction = await openCorrectable()
    const answer = await unchanged(server, () => auction.patch(pathOf(auction), body, any))
    expect(answer).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(answer)).toEqual(pointers)
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/json-patch+json'])(
    'as %s is 415, with the type that is accepted',
    async (type) => {
      const auction = await openCorrectable()
      const answer = await unchanged(server, () => correct(auction, { title: 'A' }, { ...any, 'content-type': type }))
      const message = `The body must be JSON; send it with Content-Type: ${merge}.`
      expect(answer).toMatchObject(problem(415, 'unsupported-media-type', { message }))
      expect(answer.headers.get('accept-patch')).toBe(merge)
    },
  )

  test('may name its type with a parameter, and in any case', async () => {
    const auction = await openCorrectable()
    const headers = { ...any, 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' }
    expect((await correct(auction, { title: 'A' }, headers)).status).toBe(200)
  })

  test('has a type that other operations refuse', async () => {
    const auction = await openCorrectable()
    const answer = await auction.placeBid({}, { 'content-type': merge })
    const message = 'The body must be JSON; send it with Content-Type: application/json.'
    expect(answer).toMatchObject(problem(415, 'unsupported-media-type', { message }))
    expect(answer.headers.get('accept')).toBe('application/json')
  })
})

describe('a correction is refused', () => {
  test.each<[when: string, before: (auction: AuctionClient) => Promise<unknown>, code: string, message: string]>([
    [
      'after a bid',
      (auction) => auction.placeBid(),
      'auction-has-bids',
      'The auction has bids, so it cannot be corrected.',
    ],
    ['after a cancellation', (auction) => auction.cancelAuction(), 'auction-cancelled', 'The auction was cancelled.'],
    [
      'after a purchase',
      (auction) => auction.buyNow(),
      'auction-ended',
      'The auction was bought at 2030-01-31T12:00:00.000Z; its result names the buyer.',
    ],
  ])('%s, before its entity tag is', async (_, before, code, message) => {
    const auction = await openCorrectable({ buyNowPrice: 500 })
    const tag = await readTag(auction)
    await before(auction)
    for (const sent of [tag, await readTag(auction), '*']) {
      const answer = await unchanged(server, () => correct(auction, { title: 'A' }, { 'if-match': sent }))
      expect(answer).toMatchObject(problem(409, code, { message }))
    }
  })

  test('after the end', async () => {
    const auction = await openCorrectable({ endTime: '2030-01-31T13:00:00Z' })
    server.clock.set('2030-01-31T13:00:00Z')
    const answer = await unchanged(server, () => correct(auction, { title: 'A' }))
    server.clock.set('2030-01-31T12:00:00Z')
    expect(answer).toMatchObject(problem(409, 'auction-ended', { endTime: '2030-01-31T13:00:00Z' }))
  })

  test('after 20 others', async () => {
    const auction = await openCorrectable()
    for (let count = 1; count <= 20; count++) expect((await correct(auction, { title: `${count}` })).status).toBe(200)
    expect(await unchanged(server, () => correct(auction, { title: '21' }))).toMatchObject(
      problem(409, 'too-many-corrections', { message: 'The auction was corrected 20 times, which is the limit.' }),
    )
  })

  test.each([['*'], ['"x"']])('if the auction does not exist, with If-Match: %s', async (tag) => {
    const answer = await clientOf(server, staff()).patch(
      '/api/Auctions/9007199254740991',
      { title: 'A' },
      { 'if-match': tag },
    )
    expect(answer).toMatchObject(problem(404, 'auction-not-found'))
  })

  test.each([['0'], ['x'], ['1.5'], ['9007199254740992']])('if the id is %s', async (id) => {
    const answer = await clientOf(server, staff()).patch(`/api/Auctions/${id}`, { title: 'A' }, any)
    expect(answer).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(answer)).toEqual(['/id'])
  })
})

test.each([
  ['no token', [401, 'unauthenticated'], '', limited, 'x'.repeat(70_000), text],
  ['no permission', [403, 'forbidden'], newCaller(), limited, 'x'.repeat(70_000), text],
  ['too many requests', [429, 'rate-limited'], staff(), limited, 'x'.repeat(70_000), text],
  ['a large body', [413, 'payload-too-large'], staff(), bound, 'x'.repeat(70_000), {}],
  ['another media type', [415, 'unsupported-media-type'], staff(), bound, '{', text],
  ['malformed JSON', [400, 'malformed-json'], staff(), bound, '{', {}],
  ['an invalid field', [400, 'validation-failed'], staff(), bound, { title: 1 }, {}],
  ['no If-Match', [428, 'precondition-required'], staff(), bound, { title: 'A' }, {}],
  ['the rules', [404, 'auction-not-found'], staff(), bound, { title: 'A' }, { 'if-match': '"x"' }],
] as const)('%s is reported before all later errors', async (what, [status, code], token, of, body, headers) => {
  const client = clientOf(of, token)
  const path = '/api/Auctions/9007199254740991'
  if (what === 'too many requests') await client.patch(path, '{')
  expect(await client.patch(path, body, headers)).toMatchObject(problem(status, code))
})

test('the permission is named if the token lacks it', async () => {
  const auction = await openAuction(server)
  const answer = await correct(auction, { title: 'A' })
  const message = `This operation requires a token with the permission Auctions.Update (${correcting}).`
  expect(answer).toMatchObject(problem(403, 'forbidden', { message }))
  expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${correcting}"`)
})

describe('the editor of a correction', () => {
  const editorOf = async (of: typeof server, id: number): Promise<unknown> => {
    const [entry] = await of.store.listEntries(id as Parameters<typeof of.store.listEntries>[0], { limit: 1 })
    return entry?.event.type === 'corrected' ? entry.event.editor : undefined
  }

  test('is the user of the caller, if callers are bound to users, who need not be the owner', async () => {
    const auction = await openAuction(bound, {}, tokenOf('anna', { uid: 1 }))
    expect((await correct(auction.as(staff({ uid: 9 })), { title: 'A' })).status).toBe(200)
    expect(await editorOf(bound, auction.id)).toBe('9')
  })

  test('is otherwise a hash, which does not contain the subject', async () => {
    const auction = await openAuction(bound, {}, tokenOf('anna', { uid: 1 }))
    const caller = staff({ sub: 'moderator@example.com' })
    expect((await correct(auction.as(caller), { title: 'A' })).status).toBe(200)
    expect(await editorOf(bound, auction.id)).toMatch(/^[\w-]{43}$/)
  })
})

describe('a correction with an Idempotency-Key', () => {
  const keyed = (key: string, tag = '*') => ({ 'if-match': tag, 'idempotency-key': key })

  test('returns the first response again, although its entity tag does not match any more', async () => {
    const auction = await openCorrectable()
    const tag = await readTag(auction)
    const send = () => correct(auction, { title: 'A' }, keyed('k', tag))
    const first = await send()
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    await correct(auction, { title: 'B', description: 'Worn.' })
    await auction.placeBid()
    const again = await unchanged(server, send)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(tagOf(again)).toBe(tagOf(first))
  })

  test('with another request is 422', async () => {
    const auction = await openCorrectable()
    await correct(auction, { title: 'A' }, keyed('k'))
    for (const other of [{ title: 'B' }, { title: null }, { title: 'A', description: null }]) {
      expect(await correct(auction, other, keyed('k'))).toMatchObject(problem(422, 'idempotency-key-reused'))
    }
  })

  test('sent twice at the same time is made once', async () => {
    const auction = await openCorrectable()
    const headers = keyed('k', await readTag(auction))
    const answers = await Promise.all([1, 2, 3].map(() => correct(auction, { title: 'A' }, headers)))
    expect(new Set(answers.map(({ status, text: body }) => `${status} ${body}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
  })
})
