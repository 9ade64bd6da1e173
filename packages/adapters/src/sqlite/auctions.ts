import type { Auction } from '@auction/domain/auction/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { Store, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, storedVersion } from '@auction/domain/stored'
import { createBoundedCache } from './bounded-cache.ts'
import type { SqliteContext } from './context.ts'
import { frozen } from './frozen.ts'
import { integer, type Row } from './values.ts'

/** What an auction is read from, in the order in which `parseAuction` takes it. */
export const auctionColumns = 'id, ownerId, productId, createdAtMs, data'

const insertSql = `
  INSERT INTO auctions (id, requestKey, ownerId, productId, createdAtMs, startMs, endMs, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

function rowOf({ id, requestKey, ownerId, productId, createdAtMs, ...rest }: StoredAuction): Row {
  return [
    integer(id),
    requestKey ?? null,
    integer(ownerId),
    integer(productId),
    integer(createdAtMs),
    integer(rest.startTime.epochMs),
    integer(rest.endTime.epochMs),
    JSON.stringify({ version: storedVersion, ...rest }),
  ]
}

export function parseAuction([id, ownerId, productId, createdAtMs, data]: Row): Auction {
  return parseStoredAuction({ id, ownerId, productId, createdAtMs, ...JSON.parse(String(data)) })
}

const findSql = `SELECT ${auctionColumns} FROM auctions WHERE id = ?`
const findByKeySql = `SELECT ${auctionColumns} FROM auctions WHERE requestKey = ?`

/** How many auctions are kept in memory; each has some 11 kB at the most. */
const maxKept = 2_000

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey'>

export function createSqliteAuctions({ find, write }: SqliteContext): AuctionPart {
  // What is stored of an auction never changes, so one that was read need not be read again.
  const kept = createBoundedCache<AuctionId, Auction>(maxKept)

  async function findOne(what: string, sql: string, key: number | string): Promise<Auction | undefined> {
    const [row] = await find(what, sql, [key])
    if (row === undefined) return undefined
    const auction = frozen(parseAuction(row))
    kept.set(auction.id, auction)
    return auction
  }

  return {
    async insertAuction(auction) {
      return (await write('store an auction', insertSql, [rowOf(auction)])) === 1 ? 'inserted' : 'taken'
    },

    findAuction: async (id) => kept.get(id) ?? findOne('find an auction', findSql, id),

    findAuctionByKey: (key) => findOne('find an auction by key', findByKeySql, key),
  }
}
