import { type ListedAuction, wordsOf } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import {
  agendaStages,
  byKind,
  changeCountAfter,
  numberOfStage,
  type StageUpdate,
  stageAfter,
} from '@auction/domain/store'
import { parseDescription } from '../shared/rows.ts'
import type { AuctionPart } from '../shared/store-parts.ts'
import { fewKeys, type SqliteContext } from './context.ts'
import type { Row } from './database.ts'
import type { Write } from './protocol.ts'
import type { ParseRow } from './row-parser.ts'
import {
  foundAuctionColumns,
  insertAuctionSql,
  integer,
  listedAuctionColumns,
  parseFoundAuction,
  rowOfAuction,
} from './rows.ts'

const oneSql = `SELECT description, ${listedAuctionColumns} FROM auctions WHERE id = ?`
const manySql = (column: 'id' | 'requestKey') =>
  `SELECT ${foundAuctionColumns} FROM auctions WHERE ${column} IN (SELECT value FROM json_each(?))`
const manyByIdSql = manySql('id')
const manyByKeySql = manySql('requestKey')
/** An auction that is no longer on the agenda does not match, so it never returns. */
const isOnAgenda = `stage IN (${agendaStages.map(numberOfStage).join(', ')})`
const agendaSql = `UPDATE auctions SET stage = ?, stageMs = ?, corrections = ?
  WHERE id = ? AND (corrections, stageMs) < (?, ?) AND ${isOnAgenda}`
const checkSql = `UPDATE auctions SET stageMs = ? WHERE id = ? AND stageMs > ? AND ${isOnAgenda}`

/** Stores nothing for an unknown auction. The words are one JSON array. */
const wordsSql =
  'INSERT INTO titleWords (word, createdAtMs, id) SELECT value, createdAtMs, auctions.id FROM auctions, json_each(?) ' +
  'WHERE auctions.id = ? ON CONFLICT DO NOTHING'

const wordsWrite = (id: AuctionId, words: readonly string[]): Write => ({
  sql: wordsSql,
  rows: words.length === 0 ? [] : [[JSON.stringify(words), integer(id)]],
  isEach: true,
})

export function createSqliteAuctions(
  { find, list, write }: SqliteContext,
  parse: ParseRow<ListedAuction>,
): AuctionPart {
  return {
    async insertAuction(auction) {
      const then = wordsWrite(auction.id, wordsOf(auction.title ?? ''))
      const stored = await write('store an auction', { sql: insertAuctionSql, rows: [rowOfAuction(auction)], then })
      return stored === 1 ? 'inserted' : 'taken'
    },

    async findAuction(id) {
      const [row] = await find('find an auction', oneSql, [id])
      if (row === undefined) return undefined
      const [description, ...listed] = row
      const auction = parse(listed)
      return description == null ? auction : { ...auction, description: parseDescription(auction.id, description) }
    },

    async findAuctions(wanted, signal) {
      const [sql, keys] = 'ids' in wanted ? [manyByIdSql, wanted.ids] : [manyByKeySql, wanted.keys]
      const read = keys.length <= fewKeys ? find : list
      const rows = await read('find auctions', sql, [JSON.stringify(keys)], signal)
      return rows.map((row) => parseFoundAuction(row, parse))
    },

    async updateAgenda(updates) {
      const { stageUpdates, checks } = byKind(updates)
      const rows = checks.map(({ auctionId, checkMs }) => [integer(checkMs), integer(auctionId), integer(checkMs)])
      if (stageUpdates.length > 0)
        await write('update the agenda', { sql: agendaSql, rows: stageUpdates.map(rowOfStage), isEach: true })
      if (rows.length > 0) await write('update the agenda', { sql: checkSql, rows, isEach: true })
    },

    async addTitleWords(id, words) {
      if (words.length > 0) await write('store words of a title', wordsWrite(id, words))
    },
  }
}

function rowOfStage(update: StageUpdate): Row {
  const { stage, timeMs } = stageAfter(update)
  const corrections = integer(changeCountAfter(update))
  const condition = [integer(timeMs), corrections, integer(update.auctionId)]
  return [numberOfStage(stage), ...condition, corrections, timeMs]
}
