import { type RetryKey, requestKeyOf } from '../../request-key.ts'
import { sampleAuction, sampleEntry, strangeTexts } from '../samples.ts'
import { inOrderOfIds, keyedAuction } from './helpers.ts'
import type { Suite } from './suite.ts'

const named = (parts: Partial<RetryKey>): RetryKey => ({ caller: 'caller', key: 'key', ...parts })

/** Keys are told apart to the last character, those of auctions and those of entries. */
export function requestKeys({ test, expect }: Suite): void {
  /** Each key makes an auction and an entry of its own, whatever the others are, and both are found by it. */
  const tellsApart = (name: string, retryKeys: readonly RetryKey[]): void => {
    const auctions = retryKeys.map((retryKey, index) =>
      keyedAuction({ id: index + 1 }, requestKeyOf('create-auction', retryKey)),
    )
    const entries = retryKeys.map((retryKey, index) => ({
      ...sampleEntry({ id: index + 1, auctionId: index + 1 }),
      requestKey: requestKeyOf('place-bid', retryKey),
    }))

    test(`${name}, of auctions`, async ({ store }) => {
      for (const auction of auctions) {
        expect(await store.findAuctionByKey(auction.requestKey)).toBe(undefined)
        expect(await store.insertAuction(auction)).toBe('inserted')
      }
      for (const auction of auctions) {
        expect(await store.findAuctionByKey(auction.requestKey)).toStrictEqual(sampleAuction({ id: auction.id }))
        expect(await store.insertAuction({ ...auction, id: sampleAuction({ id: 999 }).id })).toBe('taken')
      }
    })

    test(`${name}, of entries`, async ({ store }) => {
      for (const entry of entries) {
        expect(await store.findEntriesByKey([entry.requestKey])).toStrictEqual([])
        expect(await store.append([entry])).toBe(1)
      }
      for (const entry of entries) {
        expect(await store.findEntriesByKey([entry.requestKey])).toStrictEqual([entry])
        const twin = { ...sampleEntry({ id: 999, auctionId: 999 }), requestKey: entry.requestKey }
        expect(await store.append([twin])).toBe(0)
      }
      const found = await store.findEntriesByKey(entries.map(({ requestKey }) => requestKey))
      expect(inOrderOfIds(found)).toStrictEqual(entries)
    })
  }

  tellsApart('tells keys apart that differ only in letter case, length or the last of 255 characters', [
    named({ key: 'Key' }),
    named({ key: 'key' }),
    named({ key: 'KEY' }),
    named({ key: 'k' }),
    named({ key: `${'k'.repeat(254)}1` }),
    named({ key: `${'k'.repeat(254)}2` }),
    named({ key: `${'k'.repeat(254)}1`, caller: 'c'.repeat(100) }),
    named({ key: `${'k'.repeat(254)}2`, caller: 'c'.repeat(100) }),
  ])
  tellsApart(
    'takes every visible ASCII character in keys',
    Array.from({ length: 0x7e - 0x20 }, (_, index) => named({ key: String.fromCharCode(0x21 + index) })),
  )
  tellsApart('takes keys that are names which objects have of themselves', [
    named({ key: '__proto__', caller: '__proto__' }),
    named({ key: 'constructor', caller: 'toString' }),
    named({ key: 'hasOwnProperty' }),
    named({ key: '$where', caller: '$ne' }),
  ])
  tellsApart('tells the callers of keys apart to the last character', [
    ...strangeTexts.map((caller) => named({ caller })),
    named({ caller: '\u00e9' }),
    named({ caller: 'e\u0301' }),
    named({ caller: 'user' }),
    named({ caller: 'user ' }),
    named({ caller: 'User' }),
    // Collations take these for the same as the ones above: full width, and characters that they ignore.
    named({ caller: '\uFF55ser' }),
    named({ caller: 'us\u00ADer' }),
    named({ caller: 'us\u200Ber' }),
    named({ caller: 'user\u0000' }),
    named({ caller: 'strasse' }),
    named({ caller: 'straße' }),
  ])
}
