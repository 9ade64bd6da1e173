import { sampleAuction, sampleWithdrawal } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../../src/auction/auction.ts'
import { parseRelisting, repetitionOf } from '../../src/auction/relisting.ts'
import { parseNewAuction } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import { unwrap } from '../../src/values/result.ts'
import { contested, derivingOf, dueTime, later, serveEnded } from '../support/derived.ts'
import { codeOf, correct, createTestService, lower, serveAuction } from '../support/service.ts'
import { newAuctionJson, pointers } from '../support.ts'

describe('a relisting', () => {
  test('is the auction as it is now, with the new times', async () => {
    const { service, auction } = await serveAuction({ title: 'A vase', description: 'It is old.', reservePrice: 200 })
    unwrap(await correct(service, auction, { title: 'Ming vase', description: 'It is new.', metadata: { lot: '7' } }))
    unwrap(await lower(service, auction, 150))
    service.clock.set(dueTime)
    await service.closeDue()
    const made = unwrap(await derivingOf(service, auction.id).relist())
    const { id, createdAtMs, ...fields } = made
    const json = { title: 'Ming vase', description: 'It is new.', metadata: { lot: '7' }, reservePrice: 150, ...later }
    const expected = unwrap(parseNewAuction(newAuctionJson(json), service.clock.nowMs()))
    expect(fields).toStrictEqual({ ...expected, relistOf: auction.id })
    expect(createdAtMs).toBe(service.clock.nowMs())
    expect(unwrap(await service.readAuction(id))).toMatchObject({ auction: made, status: 'Pending' })
  })

  test('of a lot is not part of the sale', () => {
    const lot = sampleAuction({ saleId: 7, lot: '12A', saleSequence: 3 })
    const relisting = unwrap(parseRelisting(later))
    const made = unwrap(repetitionOf(lot, termsOf(lot), relisting, true))
    expect(made).toStrictEqual(unwrap(repetitionOf(sampleAuction(), termsOf(lot), relisting, true)))
  })

  test('has fields that differ, and not those that are removed', async () => {
    const { relist } = await serveEnded([], { title: 'A vase', buyNowPrice: 500 })
    const made = unwrap(await relist({ startingPrice: 80, title: null, buyNowPrice: null, incrementPercent: 10 }))
    expect(made).toMatchObject({ startingPriceMinor: 80_00, incrementBasisPoints: 1_000, description: 'It is old.' })
    expect(made).not.toHaveProperty('title')
    expect(made).not.toHaveProperty('buyNowPriceMinor')
  })

  test.each([
    { sent: {}, latestEndTime: '2030-03-08T13:00:00.000Z' },
    { sent: { softClose: null }, latestEndTime: undefined },
  ])('moves the latest end of a soft close with the end, unless it is sent: $sent', async ({ sent, latestEndTime }) => {
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
    const { relist } = await serveEnded([], { softClose })
    expect(unwrap(await relist(sent)).softClose?.latestEndTime.iso).toBe(latestEndTime)
  })

  test.each([
    { format: 'sealed', fields: { format: 'sealed', reveal: 'bids' }, stored: { pricing: 'second', reveal: 'bids' } },
    {
      format: 'falling',
      fields: {
        format: 'falling',
        minimumBidIncrement: undefined,
        falling: { decrement: 5, intervalSeconds: 60, floorPrice: 60 },
      },
      stored: { falling: { decrementMinor: 5_00, intervalSeconds: 60, floorPriceMinor: 60_00 } },
    },
  ])('is of the same format: $format', async ({ format, fields, stored }) => {
    const { relist } = await serveEnded([], fields)
    expect(unwrap(await relist())).toMatchObject({ format, ...stored, startingPriceMinor: 100_00 })
  })

  test('needs the key that seals bids, as a new auction does', async () => {
    const { auction, store, clock } = await serveEnded([], { format: 'sealed' })
    const { relist } = derivingOf(createAuctionService({ store, clock }), auction.id)
    expect(await relist()).toMatchObject({ refusal: { errors: [{ pointer: '/format' }] } })
  })

  test.each<{ readonly title: string; readonly fields: object; readonly wrong: readonly string[] }>([
    { title: 'a field of another format', fields: { pricing: 'first' }, wrong: ['/pricing'] },
    { title: 'no increment', fields: { minimumBidIncrement: null }, wrong: ['/minimumBidIncrement'] },
    { title: 'a rule of several fields', fields: { reservePrice: 50, title: 'x' }, wrong: ['/reservePrice'] },
    { title: 'an inexact amount', fields: { startingPrice: 1.001 }, wrong: ['/startingPrice'] },
    { title: 'an end before the start', fields: { endTime: later.startTime }, wrong: ['/endTime'] },
    {
      title: 'an end that is over',
      fields: { startTime: '2030-01-01T00:00:00Z', endTime: dueTime },
      wrong: ['/endTime'],
    },
  ])('is refused with $title', async ({ fields, wrong }) => {
    const { relist } = await serveEnded([])
    const refusal = await relist(fields)
    expect(refusal).toMatchObject({ refusal: { errors: wrong.map((pointer) => ({ pointer })) } })
  })

  test('has times, and neither another owner, currency, format nor register', () => {
    expect(pointers(parseRelisting({ title: 7 }))).toEqual(['/startTime', '/endTime', '/title'])
    const fixed = { ownerId: 1, currency: 'USD', format: 'english', registerId: 1 }
    expect(pointers(parseRelisting({ ...later, ...fixed }))).toEqual(Object.keys(fixed).map((name) => `/${name}`))
  })

  test('tells nothing of a reserve that its caller may not read', async () => {
    const { service, auction } = await serveEnded([], { reservePrice: 150 })
    const relist = (fields: object) => {
      const relisting = unwrap(parseRelisting({ ...later, ...fields }))
      return service.relistAuction({ auctionId: auction.id, relisting, mayReadReserve: false })
    }
    const hidden = {
      refusal: { errors: [{ pointer: '/reservePrice', message: expect.stringContaining('must be sent') }] },
    }
    for (const startingPrice of [120, 180]) expect(await relist({ startingPrice })).toMatchObject(hidden)
    expect(codeOf(await relist({}))).toBe('accepted')
  })

  test.each([
    { title: 'unsold', bids: [] },
    { title: 'sold', bids: contested },
  ])('is of an auction that is $title, and one that is relisted is relisted once', async ({ bids }) => {
    const { relist, service, clock, auction, offer } = await serveEnded(bids)
    const made = unwrap(await relist())
    clock.set(later.endTime) // The same request returns it, even after its end.
    expect(await relist()).toStrictEqual({ ok: true, value: made, isRepeated: true })
    const refusal = { code: 'auction-relisted', relistedAs: made.id }
    expect(await relist({ title: 'Another' })).toMatchObject({ refusal })
    expect(await offer([9], { endTime: '2030-04-01T12:00:00Z' })).toMatchObject({ refusal })
    clock.advance(2_000)
    await service.closeDue()
    const next = { startTime: later.endTime, endTime: '2030-04-01T12:00:00Z' }
    expect(unwrap(await derivingOf(service, made.id).relist(next))).toMatchObject({ relistOf: made.id })
    expect(await relist(next)).toMatchObject({ refusal })
    expect((await service.readAuction(auction.id)).ok).toBe(true)
  })

  test('of a cancelled auction exists, and not of one without a result or of an unknown one', async () => {
    const { service, auction } = await serveAuction()
    const { relist } = derivingOf(service, auction.id)
    expect(codeOf(await relist())).toBe('auction-not-over')
    unwrap(await service.cancelAuction({ auctionId: auction.id }))
    expect(codeOf(await relist())).toBe('accepted')
    const unknown = { ...auction, id: 99 as typeof auction.id }
    expect(codeOf(await derivingOf(createTestService(), unknown.id).relist())).toBe('auction-not-found')
    await expect(
      service.relistAuction({ auctionId: auction.id, relisting: sampleWithdrawal() as never }),
    ).rejects.toThrow('parseRelisting')
  })
})
