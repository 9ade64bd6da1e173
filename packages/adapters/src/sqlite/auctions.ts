import type { Auction } from '@auction/domain/auction/auction'
import type { Store } from '@auction/domain/store'
import type { SqliteContext } from './context.ts'
import type { RowParser } from './row-parser.ts'
import { auctionColumns, insertedAuctionColumns, rowOfAuction } from './rows.ts'

const insertSql = `
  INSERT INTO auctions (${insertedAuctionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
const select = `SELECT ${auctionColumns} FROM auctions WHERE`
const byIdSql = `${select} id = ?`
const byKeySql = `${select} requestKey = ?`

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey'>

export function createSqliteAuctions(
  { find, write }: SqliteContext,
  { parse, remembered }: RowParser<Auction>,
): AuctionPart {
  async function findOne(what: string, sql: string, key: number | string): Promise<Auction | undefined> {
    const [row] = await find(what, sql, [key])
    return row && parse(row)
  }

  return {
    async insertAuction(auction) {
      return (await write('store an auction', insertSql, [rowOfAuction(auction)])) === 1 ? 'inserted' : 'taken'
    },

    // What is stored of an auction never changes.
    findAuction: async (id) => remembered(id) ?? findOne('find an auction', byIdSql, id),

    findAuctionByKey: (key) => findOne('find an auction by key', byKeySql, key),
  }
}
