import { type RetryKey, requestKeyOf } from '@auction/domain/request-key'
import { sampleAuction, sampleEntry, strangeTexts } from '../samples.ts'
import { findByKey, inOrderOfIds, keyedAuction } from './helpers.ts'
import type { Suite } from './suite.ts'

const named = (parts: Partial<RetryKey>): RetryKey => ({ caller: 'caller', key: 'key', ...parts })

/** Keys of auctions and of entries are distinguished by every character. */
export function requestKeys({ test, expect }: Suite): void {
  /** Each key stores a separate auction and entry, and both are found by it. */
  const distinguishes = (name: string, retryKeys: readonly RetryKey[]): void => {
    const auctions = retryKeys.map((retryKey, index) =>
      keyedAuction({ id: index + 1 }, requestKeyOf('create-auction', retryKey)),
    )
    const entries = retryKeys.map((retryKey, index) => ({
      ...sampleEntry({ id: index + 1, auctionId: index + 1 }),
      requestKey: requestKeyOf('place-bid', retryKey),
    }))

    test(`${name}, of auctions`, async ({ store }) => {
      for (const auction of auctions) {
        expect(await findByKey(store, auction.requestKey)).toBe(undefined)
        expect(await store.insertAuction(auction)).toBe('inserted')
      }
      for (const auction of auctions) {
        expect(await findByKey(store, auction.requestKey)).toStrictEqual(sampleAuction({ id: auction.id }))
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
        const duplicate = { ...sampleEntry({ id: 999, auctionId: 999 }), requestKey: entry.requestKey }
        expect(await store.append([duplicate])).toBe(0)
      }
      const keyed = await store.findEntriesByKey(entries.map(({ requestKey }) => requestKey))
      expect(inOrderOfIds(keyed)).toStrictEqual(entries)
    })
  }

  distinguishes('distinguishes keys that differ only in letter case, length or the last of 255 characters', [
    named({ key: 'Key' }),
    named({ key: 'key' }),
    named({ key: 'KEY' }),
    named({ key: 'k' }),
    named({ key: `${'k'.repeat(254)}1` }),
    named({ key: `${'k'.repeat(254)}2` }),
    named({ key: `${'k'.repeat(254)}1`, caller: 'c'.repeat(100) }),
    named({ key: `${'k'.repeat(254)}2`, caller: 'c'.repeat(100) }),
  ])
  distinguishes(
    'accepts every visible ASCII character in keys',
    Array.from({ length: 0x7e - 0x20 }, (_, index) => named({ key: String.fromCharCode(0x21 + index) })),
  )
  distinguishes('accepts keys that are names of built-in properties', [
    named({ key: '__proto__', caller: '__proto__' }),
    named({ key: 'constructor', caller: 'toString' }),
    named({ key: 'hasOwnProperty' }),
    named({ key: '$where', caller: '$ne' }),
  ])
  distinguishes('distinguishes the callers of keys by every character', [
    ...strangeTexts.map((caller) => named({ caller })),
    named({ caller: '\u00e9' }),
    named({ caller: 'e\u0301' }),
    named({ caller: 'user' }),
    named({ caller: 'user ' }),
    named({ caller: 'User' }),
    // Collations treat these as equal to the ones above: full width, and characters that they ignore.
    named({ caller: '\uFF55ser' }),
    named({ caller: 'us\u00ADer' }),
    named({ caller: 'us\u200Ber' }),
    named({ caller: 'user\u0000' }),
    named({ caller: 'strasse' }),
    named({ caller: 'straße' }),
  ])
}
