import { auctionStoreContract } from '@auction/domain/testing/auction-store-contract'
import { idSourceContract } from '@auction/domain/testing/id-source-contract'
import { idempotencyStoreContract } from '@auction/domain/testing/idempotency-store-contract'
import { ledgerContract } from '@auction/domain/testing/ledger-contract'
import { describe, expect, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import type { MongoStore } from '../../src/mongodb/mongo-store.ts'
import { storesOnOneDatabase } from './support.ts'

const runner = { describe, test, expect }

/** A port of a new store on a database of its own, and of others on the same one. */
async function subjectOf<Port>(portOf: (store: MongoStore) => Port) {
  const { open, close } = storesOnOneDatabase()
  return { store: portOf(await open()), again: async () => portOf(await open()), close }
}

async function idsOf(name: 'auctionIds' | 'bidIds') {
  const { store: ids, again, close } = await subjectOf((store) => store[name])
  return { ids, again, close }
}

describeMongo('the contracts', () => {
  auctionStoreContract(runner, () => subjectOf(({ auctions }) => auctions))
  ledgerContract(runner, () => subjectOf(({ ledger }) => ledger))
  idempotencyStoreContract(runner, () => subjectOf(({ idempotencyKeys }) => idempotencyKeys))
  idSourceContract(runner, () => idsOf('auctionIds'))
  idSourceContract(runner, () => idsOf('bidIds'))
})
