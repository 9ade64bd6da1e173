import type { Auction, ListedAuction } from '@auction/domain/auction/auction'
import type { Store } from '@auction/domain/store'
import type { SqliteContext } from './context.ts'
import type { RowParser } from './row-parser.ts'
import { insertedAuctionColumns, listedAuctionColumns, parseDescription, rowOfAuction } from './rows.ts'

const insertSql = `
  INSERT INTO auctions (${insertedAuctionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
const select = `SELECT description, ${listedAuctionColumns} FROM auctions WHERE`
const byIdSql = `${select} id = ?`
const byKeySql = `${select} requestKey = ?`

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey'>

export function createSqliteAuctions({ find, write }: SqliteContext, { parse }: RowParser<ListedAuction>): AuctionPart {
  async function findOne(what: string, sql: string, key: number | string): Promise<Auction | undefined> {
    const [row] = await find(what, sql, [key])
    if (row === undefined) return undefined
    const [description, ...listed] = row
    const auction = parse(listed)
    return description == null ? auction : { ...auction, description: parseDescription(auction.id, description) }
  }

  return {
    async insertAuction(auction) {
      return (await write('store an auction', insertSql, [rowOfAuction(auction)])) === 1 ? 'inserted' : 'taken'
    },

    findAuction: (id) => findOne('find an auction', byIdSql, id),

    findAuctionByKey: (key) => findOne('find an auction by key', byKeySql, key),
  }
}
