import { agendaStages, byKind, changeCountAfter, numberOfStage, stageAfter } from '@auction/domain/store'
import type { AuctionPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'

const wordsSql = `
  INSERT INTO title_words (word, created_at_ms, id)
  SELECT word, created_at_ms, auctions.id FROM unnest($1::text[]) AS word, auctions WHERE auctions.id = $2
  ON CONFLICT DO NOTHING`

const onAgenda = agendaStages.map(numberOfStage).join(', ')

/**
 * Several updates of one auction are combined: the first end, or otherwise the latest time. Rows are first locked in the
 * order of their ids: two calls that lock the same rows in opposite orders would deadlock. The count of the locked rows
 * makes the server lock them before it updates any. A join with them would compare each with each.
 *
 * Each auction is found by its id. With `stage` alone, a planner that knows of few open auctions would read them all.
 */
const updateSql = `
  WITH news AS (
    SELECT DISTINCT ON (auction_id) auction_id, stage, stage_ms, corrections
    FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[])
      WITH ORDINALITY AS news (auction_id, stage, stage_ms, corrections, number)
    ORDER BY auction_id, corrections DESC, CASE WHEN stage IN (${onAgenda}) THEN -stage_ms ELSE number END
  ), locked AS MATERIALIZED (
    SELECT id FROM auctions WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE auctions SET stage = news.stage, stage_ms = news.stage_ms, corrections = news.corrections
  FROM news
  WHERE (SELECT count(*) FROM locked) > 0 AND auctions.id = news.auction_id AND auctions.stage + 0 IN (${onAgenda})
    AND (news.corrections, news.stage_ms) > (auctions.corrections, auctions.stage_ms)`

/** Rows are locked in the order of their ids, and found by id, as above. */
const checkSql = `
  WITH checks AS (
    SELECT auction_id, min(check_ms) AS check_ms FROM unnest($1::bigint[], $2::bigint[]) AS checks (auction_id, check_ms)
    GROUP BY auction_id
  ), locked AS MATERIALIZED (
    SELECT id FROM auctions WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE auctions SET stage_ms = check_ms FROM checks
  WHERE (SELECT count(*) FROM locked) > 0 AND id = auction_id AND stage + 0 IN (${onAgenda}) AND check_ms < stage_ms`

/** The changes of auctions: each call is one statement, for any number of changes. */
export function createPostgresqlAuctions({ query }: Connection): Pick<AuctionPart, 'updateAgenda' | 'addTitleWords'> {
  return {
    async updateAgenda(updates) {
      const { stageUpdates, checks } = byKind(updates)
      if (stageUpdates.length > 0) {
        const news = stageUpdates.map(stageAfter)
        const values = [
          stageUpdates.map(({ auctionId }) => auctionId),
          news.map(({ stage }) => numberOfStage(stage)),
          news.map(({ timeMs }) => timeMs),
          stageUpdates.map(changeCountAfter),
        ]
        await query({ what: 'update the agenda', text: updateSql, values })
      }
      if (checks.length > 0) {
        const values = [checks.map(({ auctionId }) => auctionId), checks.map(({ checkMs }) => checkMs)]
        await query({ what: 'update the agenda', text: checkSql, values })
      }
    },

    async addTitleWords(id, words) {
      if (words.length === 0) return
      // The words are sorted, because two calls that store the same words in opposite orders would deadlock.
      await query({ what: 'store words of a title', text: wordsSql, values: [words.toSorted(), id] })
    },
  }
}
