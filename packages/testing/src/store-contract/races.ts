import type { Entry } from '@auction/domain/store'
import { sampleEntry } from '../samples.ts'
import { auctionIdsOf, creationKey, idsOf, keyedAuction, ledgerOf, listed, range } from './helpers.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'

/** Exactly one of several competing writes wins. */
export function races(suite: Suite): void {
  auctionRaces(suite)
  entryRaces(suite)
}

function auctionRaces({ test, expect }: Suite): void {
  const oneWins = (name: string, contenders: readonly ReturnType<typeof keyedAuction>[]): void =>
    test(name, async (subject) => {
      const stores = [subject.store, await otherHandle(subject)]
      const results = await Promise.all(contenders.map((auction, index) => stores[index % 2]?.insertAuction(auction)))
      expect(results.toSorted()).toEqual(['inserted', ...range(2, 10).map(() => 'taken')])
      const winners = contenders.filter((_, index) => results[index] === 'inserted')
      expect(idsOf(await listed(subject.store))).toEqual(idsOf(winners))
      for (const { requestKey, ...auction } of winners) {
        expect(await subject.store.findAuction(auction.id)).toStrictEqual(auction)
        expect(await subject.store.findAuctionByKey(requestKey)).toStrictEqual(auction)
      }
    })

  oneWins(
    'lets exactly one of many concurrent inserts of an auction’s id win',
    range(1, 10).map((index) => keyedAuction({ title: `contender ${index}` }, creationKey(`key-${index}`))),
  )
  oneWins(
    'lets exactly one of many concurrent inserts of auctions under one key win',
    range(1, 10).map((id) => keyedAuction({ id }, creationKey('a'))),
  )
}

function entryRaces({ test, expect }: Suite): void {
  /** Runs all appends at once, half of them through each handle, and returns how many entries each one reports as stored. */
  const race = async (subject: StoreSubject, appends: readonly (readonly Entry[])[]): Promise<readonly number[]> => {
    const stores = [subject.store, await otherHandle(subject)]
    const appended = await Promise.all(appends.map((entries, index) => stores[index % 2]?.append(entries)))
    return appended.map((stored) => stored ?? Number.NaN)
  }

  const oneWins = (name: string, contenders: readonly Entry[]): void =>
    test(name, async (subject) => {
      const stored = await race(
        subject,
        contenders.map((entry) => [entry]),
      )
      expect(stored.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
      const winners = contenders.filter((_, index) => stored[index] === 1)
      const auctionIds = auctionIdsOf([...new Set(contenders.map(({ auctionId }) => auctionId))])
      expect(await subject.store.findHeads(auctionIds)).toStrictEqual(winners)
      expect((await Promise.all(auctionIds.map((id) => ledgerOf(subject.store, id)))).flat()).toStrictEqual(winners)
      const ids = [...new Set(contenders.map(({ id }) => id))]
      expect(await subject.store.findEntries(ids)).toStrictEqual(winners)
    })

  oneWins(
    'lets exactly one of many concurrent appends of a sequence win',
    range(1, 10).map((id) => sampleEntry({ id, bidderId: id + 1 })),
  )
  oneWins(
    'lets exactly one of many concurrent appends of an id win',
    range(1, 10).map((auctionId) => sampleEntry({ auctionId })),
  )
  oneWins(
    'lets exactly one of many concurrent appends of a request’s key win',
    range(1, 10).map((id) => sampleEntry({ id, auctionId: id, requestKey: 'a' })),
  )
}
