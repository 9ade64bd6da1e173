import { expect, test } from 'vitest'
import { asUser, auctionViewJson, everyone, type Reader } from '../../../../src/public/json.ts'
import { parseNewAuction } from '../../../../src/public/parsing.ts'
import { toUserId } from '../../../../src/values/ids.ts'
import { unwrap } from '../../../../src/values/result.ts'
import { dueTime, sealedFields, serveSealed, usesOf } from '../../../support/sealed.ts'
import { openTime } from '../../../support/service.ts'

async function createReserved() {
  const { service, clock } = await serveSealed()
  const fields = { ...sealedFields, title: 'Ring', reservePrice: 150.5, reveal: 'bids' }
  const { id } = unwrap(await service.createAuction(unwrap(parseNewAuction(fields, clock.nowMs()))))
  const viewJson = async (reader: Reader = everyone) => {
    const view = unwrap(await service.readAuction(id, reader.userId))
    return JSON.parse(JSON.stringify(auctionViewJson(view, reader)))
  }
  return { ...usesOf(service, id), service, clock, id, viewJson }
}

test('a view of a sealed auction has its terms and life, and neither a price nor the reserve nor its key', async () => {
  const { viewJson, id } = await createReserved()
  const createdAt = openTime.replace('Z', '.000Z')
  expect(await viewJson()).toStrictEqual({
    ...{ ...sealedFields, id, title: 'Ring', reveal: 'bids', status: 'Active' },
    ...{ effectiveEndTime: sealedFields.endTime, result: null, createdAt, endedAt: null, correctedAt: null },
    repairCount: 0,
  })
})

test('the owner of a sealed auction sees its reserve', async () => {
  const { viewJson } = await createReserved()
  expect(await viewJson(asUser(toUserId(1)))).toHaveProperty('reservePrice', 150.5)
})

test('bids change no byte of a sealed auction before the result, which has the number of bidders', async () => {
  const { bid, clock, service, viewJson } = await createReserved()
  const before = await viewJson()
  unwrap(await bid(2, 200))
  unwrap(await bid(3, 175.25))
  unwrap(await bid(3, 160))
  expect(await viewJson()).toStrictEqual(before)
  clock.set(dueTime)
  await service.closeDue()
  const { result } = await viewJson()
  expect(result).toMatchObject({ outcome: 'sold', winnerId: 2, price: 160, bidderCount: 2 })
})
