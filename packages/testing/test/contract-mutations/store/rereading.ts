import type { Store } from '@auction/domain/store'
import { replaced, type StoreMutation } from '../planted.ts'
import { isHit, isMiss, remembering } from './remembering.ts'

const misses = 'finds stored data after earlier reads that did not find it'
const latest = 'returns the last stored data after earlier reads'

const remembers = {
  findAuction: ({ findAuction }, isWorthIt) => ({ findAuction: remembering(findAuction, isWorthIt) }),
  findAuctionByKey: ({ findAuctionByKey }, isWorthIt) => ({
    findAuctionByKey: remembering(findAuctionByKey, isWorthIt),
  }),
  findEntries: ({ findEntries }, isWorthIt) => ({ findEntries: remembering(findEntries, isWorthIt) }),
  findEntriesByKey: ({ findEntriesByKey }, isWorthIt) => ({
    findEntriesByKey: remembering(findEntriesByKey, isWorthIt),
  }),
  findHeads: ({ findHeads }, isWorthIt) => ({ findHeads: remembering(findHeads, isWorthIt) }),
  listEntries: ({ listEntries }, isWorthIt) => ({ listEntries: remembering(listEntries, isWorthIt) }),
  listAuctions: ({ listAuctions }, isWorthIt) => ({ listAuctions: remembering(listAuctions, isWorthIt) }),
  highestIdBlock: ({ highestIdBlock }, isWorthIt) => ({ highestIdBlock: remembering(highestIdBlock, isWorthIt) }),
} satisfies Partial<Record<keyof Store, (right: Store, isWorthIt: (value: unknown) => boolean) => Partial<Store>>>

const lookedFor = [
  'findAuction',
  'findAuctionByKey',
  'findEntries',
  'findEntriesByKey',
  'findHeads',
  'listEntries',
] as const
const growing = ['findHeads', 'listEntries', 'listAuctions', 'highestIdBlock'] as const

export const rereadingMutations: readonly StoreMutation[] = [
  ...lookedFor.map((operation) =>
    replaced(`remembers what ${operation} did not find`, (right) => remembers[operation](right, isMiss), misses),
  ),
  ...growing.map((operation) =>
    replaced(`remembers what ${operation} returned`, (right) => remembers[operation](right, isHit), latest),
  ),
]
