import { wordsOf } from '@auction/domain/auction'
import type { AuctionPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'
import {
  bytesOf,
  type DescribedRow,
  type FoundRow,
  insertedColumns,
  listedColumns,
  parseAuction,
  parseFoundAuction,
  valuesOf,
} from './rows.ts'

/** Stores the words of the title only with the auction. */
const insertSql = `
  WITH stored AS (
    INSERT INTO auctions (${insertedColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
    RETURNING created_at_ms, id
  ), words AS (
    INSERT INTO title_words (word, created_at_ms, id) SELECT word, created_at_ms, id FROM stored, unnest($9::text[]) AS word
  )
  SELECT FROM stored`

const wordsSql = `
  INSERT INTO title_words (word, created_at_ms, id)
  SELECT word, created_at_ms, auctions.id FROM unnest($1::text[]) AS word, auctions WHERE auctions.id = $2
  ON CONFLICT DO NOTHING`

const oneSql = `SELECT ${listedColumns}, description FROM auctions WHERE id = $1`

/**
 * Several updates of one auction are combined. Rows are first locked in the order of their ids: two calls that lock the
 * same rows in opposite orders would deadlock.
 */
const updateSql = `
  WITH news AS (
    SELECT auction_id, max(due_ms) AS due_ms, min(ended_ms) AS ended_ms
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS news (auction_id, due_ms, ended_ms)
    GROUP BY auction_id
  ), locked AS MATERIALIZED (
    SELECT id FROM auctions WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE auctions
  SET due_ms = CASE WHEN news.ended_ms IS NULL THEN news.due_ms END, ended_ms = news.ended_ms
  FROM news, locked
  WHERE auctions.id = news.auction_id AND auctions.id = locked.id AND auctions.ended_ms IS NULL
    AND (news.ended_ms IS NOT NULL OR news.due_ms > auctions.due_ms)`

export function createPostgresqlAuctions({ query }: Connection): AuctionPart {
  return {
    async insertAuction(auction) {
      const values = [...valuesOf(auction), wordsOf(auction.title ?? '')]
      const { rowCount } = await query({ what: 'store an auction', text: insertSql, values })
      return rowCount === 1 ? 'inserted' : 'taken'
    },

    async findAuction(id) {
      const { rows } = await query<DescribedRow>({ what: 'find an auction', text: oneSql, values: [id] })
      return rows[0] && parseAuction(rows[0])
    },

    async findAuctions(wanted, signal) {
      const [where, values] =
        'ids' in wanted ? ['id = ANY($1)', wanted.ids] : ['request_key = ANY($1)', wanted.keys.map(bytesOf)]
      const text = `SELECT ${listedColumns}, request_key FROM auctions WHERE ${where}`
      const { rows } = await query<FoundRow>({ what: 'find auctions', text, values: [values], signal })
      return rows.map(parseFoundAuction)
    },

    async updateAgenda(updates) {
      if (updates.length === 0) return
      const values = [
        updates.map(({ auctionId }) => auctionId),
        updates.map((update) => ('dueMs' in update ? update.dueMs : null)),
        updates.map((update) => ('endedMs' in update ? update.endedMs : null)),
      ]
      await query({ what: 'update the agenda', text: updateSql, values })
    },

    async addTitleWords(id, words) {
      if (words.length === 0) return
      // The words are sorted, because two calls that store the same words in opposite orders would deadlock.
      await query({ what: 'store words of a title', text: wordsSql, values: [words.toSorted(), id] })
    },
  }
}
