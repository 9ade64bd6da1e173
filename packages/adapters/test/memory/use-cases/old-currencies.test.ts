import type { Auction } from '@auction/domain/auction'
import { StoredAmountMinor } from '@auction/domain/money'
import { unwrap } from '@auction/domain/result'
import { sampleAuction } from '@auction/domain/testing/samples'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { keyOf, ledgerOf, newAuction, newBid, testService, wordFor } from './service.ts'

/** A service whose store holds an auction of before: from 100.000 in steps of 0.005, by three decimals. */
async function serviceWith(currency: string) {
  const service = testService()
  const auction = sampleAuction({
    currency,
    currencyExponent: 3,
    startingPriceMinor: 100_000,
    minimumBidIncrementMinor: 5,
  })
  await service.store.auctions.insert(auction)
  return { service, auction }
}

describe.each([
  ['that has left ISO 4217', 'DEM'],
  ['that had other decimals', 'USD'],
])('an auction in a currency %s', (_, code) => {
  test('is listed and read at its worth', async () => {
    const { service, auction } = await serviceWith(code)
    expect((await service.listAuctions({ limit: 10 })).items).toStrictEqual([{ auction, status: 'Active' }])
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ currentPriceMinor: 100_000 })
  })

  test('takes bids that are exact in the decimals that it was made with', async () => {
    const { service, auction } = await serviceWith(code)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    expect(first).toMatchObject({ amountMinor: 100_000, currency: { code, exponent: 3 } })
    const second = unwrap(await service.placeBid(newBid(auction, 3, 100.005), keyOf('k')))
    expect(unwrap(await service.placeBid(newBid(auction, 3, 100.005), keyOf('k')))).toStrictEqual(second)
    expect(await ledgerOf(service, auction)).toStrictEqual([first, second])
    expect(await service.placeBid(newBid(auction, 2, 100.009))).toMatchObject({
      refusal: {
        code: 'bid-too-low',
        currentPriceMinor: 100_005,
        minimumNextBidMinor: 100_010,
        currency: { exponent: 3 },
      },
    })
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100.0101)))).toBe('validation-failed')
  })
})

test('a key still stands for its auction when the currency has been given other decimals since', async () => {
  const service = testService()
  const { currency } = sampleAuction({ currencyExponent: 3 })
  const minor = (amount: number) => v.parse(StoredAmountMinor, amount)
  const before = {
    ...newAuction(),
    currency,
    startingPriceMinor: minor(100_000),
    minimumBidIncrementMinor: minor(5_000),
  }
  const first: Auction = unwrap(await service.createAuction(before, keyOf('k')))
  expect(unwrap(await service.createAuction(newAuction(), keyOf('k')))).toStrictEqual(first)
  const other = newAuction({ startingPrice: 1_000 })
  expect(wordFor(await service.createAuction(other, keyOf('k')))).toBe('idempotency-key-reused')
})
