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
  INSERT INTO auctions (id, requestKey, ownerId, productId, createdAtMs, startMs, endMs, dueAtMs, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

function rowOf({ id, requestKey, ownerId, productId, createdAtMs, ...rest }: StoredAuction): Row {
  const endMs = integer(rest.endTime.epochMs)
  return [
    integer(id),
    requestKey ?? null,
    integer(ownerId),
    integer(productId),
    integer(createdAtMs),
    integer(rest.startTime.epochMs),
    endMs,
    endMs,
    JSON.stringify({ version: storedVersion, ...rest }),
  ]
}

export function parseAuction([id, ownerId, productId, createdAtMs, data]: Row): Auction {
  return parseStoredAuction({ id, ownerId, productId, createdAtMs, ...JSON.parse(String(data)) })
}

const findSql = `SELECT ${auctionColumns} FROM auctions WHERE id = ?`
const findByKeySql = `SELECT ${auctionColumns} FROM auctions WHERE requestKey = ?`
const dueSql = `SELECT ${auctionColumns} FROM auctions WHERE dueAtMs <= ? ORDER BY dueAtMs, id LIMIT ?`
const forgetSql = 'UPDATE auctions SET dueAtMs = NULL WHERE id IN (SELECT value FROM json_each(?))'

/** How many auctions are kept in memory; each has some 11 kB at the most. */
const maxKept = 2_000

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey' | 'findDue' | 'forgetDue'>

export function createSqliteAuctions({ find, list, write }: SqliteContext): AuctionPart {
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

    async findDue(untilMs, limit) {
      return (await list('find auctions that are due', dueSql, [integer(untilMs), limit])).map(parseAuction)
    },

    async forgetDue(ids) {
      if (ids.length > 0) await write('forget what was due', forgetSql, [[JSON.stringify(ids)]])
    },
  }
}
