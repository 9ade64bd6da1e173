import { wordsOf } from '@auction/domain/auction'
import {
  type AgendaCheck,
  agendaStages,
  byKind,
  changeCountAfter,
  numberOfStage,
  type StageUpdate,
  stageAfter,
} from '@auction/domain/store'
import type { AuctionPart } from '../shared/store-parts.ts'
import type { Database } from './database.ts'
import {
  bytesOf,
  type DescribedRow,
  type FoundRow,
  insertedAuctionColumns,
  listedAuctionColumns,
  parseAuction,
  parseFoundAuction,
  rowOfAuction,
} from './rows.ts'
import { join, raw, type SqlValue, sql } from './statement.ts'

const selectListed = (more: string) => raw(`SELECT ${listedAuctionColumns}, ${more} FROM auctions WHERE`)

const onAgenda = raw(`stage IN (${agendaStages.map(numberOfStage).join(', ')})`)

function changeOfStage(update: StageUpdate) {
  const { auctionId } = update
  const { stage, timeMs } = stageAfter(update)
  const corrections = changeCountAfter(update)
  const statement = sql`
    UPDATE auctions SET stage = ${numberOfStage(stage)}, stage_ms = ${timeMs}, corrections = ${corrections}
    WHERE id = ${auctionId} AND ${onAgenda}
      AND (corrections < ${corrections} OR (corrections = ${corrections} AND stage_ms < ${timeMs}))`
  return { auctionId, statement }
}

const changeOfCheck = ({ auctionId, checkMs }: AgendaCheck) => ({
  auctionId,
  statement: sql`
    UPDATE auctions SET stage_ms = ${checkMs} WHERE id = ${auctionId} AND ${onAgenda} AND stage_ms > ${checkMs}`,
})

/** Stores the words of a title only with the auction. An update of the agenda is a statement for each auction. */
export function createSqlAuctions({ dialect, query, tryWrite, write, repeat }: Database): AuctionPart {
  const { insert, isIn } = dialect
  return {
    async insertAuction(auction) {
      const { id, requestKey, createdAtMs } = auction
      const words = wordsOf(auction.title ?? '').map((word): readonly SqlValue[] => [word, createdAtMs, id])
      const insertWords = words.length === 0 ? [] : [insert('title_words', 'word, created_at_ms, id', words)]
      const insertTerms = insert('auctions', insertedAuctionColumns, [rowOfAuction(auction)])
      const isTaken = [isIn('id', [id]), isIn('request_key', requestKey === undefined ? [] : [bytesOf(requestKey)])]
      return repeat('store an auction', async () => {
        if (await tryWrite('store an auction', [insertTerms, ...insertWords])) return 'inserted'
        for (const condition of isTaken) {
          const taken = await query('find taken keys', sql`SELECT id FROM auctions WHERE ${condition}`)
          if (taken.length > 0) return 'taken'
        }
        return undefined
      })
    },

    async findAuction(id) {
      const [row] = await query<DescribedRow>('find an auction', sql`${selectListed('description')} id = ${id}`)
      return row && parseAuction(row)
    },

    async findAuctions(wanted, signal) {
      const condition = 'ids' in wanted ? isIn('id', wanted.ids) : isIn('request_key', wanted.keys.map(bytesOf))
      const rows = await query<FoundRow>('find auctions', sql`${selectListed('request_key')} ${condition}`, signal)
      return rows.map(parseFoundAuction)
    },

    async updateAgenda(updates) {
      const { stageUpdates, checks } = byKind(updates)
      // Two transactions that lock the same rows in opposite orders would deadlock. The check of an auction stays last.
      const changes = [...stageUpdates.map(changeOfStage), ...checks.map(changeOfCheck)]
      const inOrder = changes.toSorted((a, b) => a.auctionId - b.auctionId)
      await write(
        'update the agenda',
        inOrder.map(({ statement }) => statement),
      )
    },

    async addTitleWords(id, words) {
      if (words.length === 0) return
      // Two statements that store the same words in opposite orders would deadlock.
      const selects = [...new Set(words)].toSorted().map(
        (word) => sql`
          SELECT ${word}, auctions.created_at_ms, auctions.id FROM auctions
          WHERE auctions.id = ${id} AND NOT EXISTS (
            SELECT 1 FROM title_words AS old
            WHERE old.word = ${word} AND old.created_at_ms = auctions.created_at_ms AND old.id = auctions.id
          )`,
      )
      const insertWords = sql`INSERT INTO title_words (word, created_at_ms, id) ${join(selects, ' UNION ALL ')}`
      await write('store words of a title', [insertWords])
    },
  }
}
