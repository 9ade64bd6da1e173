import { type RetryKey, requestKeyOf } from '@auction/domain/request-key'
import type { Entry, StoredAuction } from '@auction/domain/store'
import { sampleAuction, sampleEntry, strangeTexts } from '../samples.ts'
import { findByKey, inBatches, inOrderOfIds, keyedAuction } from './helpers.ts'
import type { Suite } from './suite.ts'

const named = (parts: Partial<RetryKey>): RetryKey => ({ caller: 'caller', key: 'key', ...parts })

/** Each key stores a separate auction and entry, and both are found by it. */
const distinguishing =
  ({ test, expect }: Suite) =>
  (name: string, retryKeys: readonly RetryKey[]): void => {
    const auctions = retryKeys.map((retryKey, index) =>
      keyedAuction({ id: index + 1 }, requestKeyOf('create-auction', retryKey)),
    )
    const entries = retryKeys.map((retryKey, index) => ({
      ...sampleEntry({ id: index + 1, auctionId: index + 1 }),
      requestKey: requestKeyOf('place-bid', retryKey),
    }))

    test(`${name}, of auctions`, async ({ store }) => {
      const find = ({ requestKey }: (typeof auctions)[number]) => findByKey(store, requestKey)
      const insert = (auction: StoredAuction) => store.insertAuction(auction)
      expect(await inBatches(auctions, find)).toEqual(auctions.map(() => undefined))
      expect(await inBatches(auctions, insert)).toEqual(auctions.map(() => 'inserted'))
      expect(await inBatches(auctions, find)).toStrictEqual(auctions.map(({ id }) => sampleAuction({ id })))
      const again = auctions.map((auction, index) => ({ ...auction, id: sampleAuction({ id: 901 + index }).id }))
      expect(await inBatches(again, insert)).toEqual(auctions.map(() => 'taken'))
    })

    test(`${name}, of entries`, async ({ store }) => {
      const find = ({ requestKey }: (typeof entries)[number]) => store.findEntriesByKey([requestKey])
      const append = (entry: Entry) => store.append([entry])
      expect(await inBatches(entries, find)).toStrictEqual(entries.map(() => []))
      expect(await inBatches(entries, append)).toEqual(entries.map(() => 1))
      expect(await inBatches(entries, find)).toStrictEqual(entries.map((entry) => [entry]))
      const again = entries.map(({ requestKey }, index) => ({
        ...sampleEntry({ id: 901 + index, auctionId: 901 + index }),
        requestKey,
      }))
      expect(await inBatches(again, append)).toEqual(entries.map(() => 0))
      const keyed = await store.findEntriesByKey(entries.map(({ requestKey }) => requestKey))
      expect(inOrderOfIds(keyed)).toStrictEqual(entries)
    })
  }

/** Keys of auctions and of entries are distinguished by every character. */
export function requestKeys(suite: Suite): void {
  const distinguishes = distinguishing(suite)
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
