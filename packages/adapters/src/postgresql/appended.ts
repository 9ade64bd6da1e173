import { type Appended, maxAppended } from '@auction/domain/store'
import type { AppendedPart } from '../shared/store-parts.ts'
import type { Connection } from './connection.ts'

/**
 * The numbers of transactions are those of one run of a server, of one database and its table: a restored backup and a
 * server that has taken over have others. A snapshot states which transactions are visible to it. New are those that
 * the earlier snapshot did not see: the later ones, and those that were in progress then.
 *
 * The later ones also have numbers below the end of the new snapshot. Rows of a restored dump may have higher numbers.
 */
const sinceSql = `
  WITH current AS MATERIALIZED (
    SELECT pg_current_snapshot() AS snapshot, concat_ws(
      '/', extract(epoch FROM pg_postmaster_start_time()), (SELECT oid FROM pg_database WHERE datname = current_database()),
      pg_relation_filenode('entries')
    ) AS server
  )
  SELECT snapshot::text AS snapshot, server, CASE
    -- A server that was set back begins again with lower numbers.
    WHEN server = $1 AND pg_snapshot_xmax(snapshot) >= pg_snapshot_xmax($2::pg_snapshot) THEN (
      SELECT COALESCE(json_agg(json_build_array(auction_id, sequence)), '[]') FROM (
        SELECT auction_id, sequence FROM entries
        WHERE transaction_id >= pg_snapshot_xmax($2::pg_snapshot) AND transaction_id < pg_snapshot_xmax(snapshot)
        UNION ALL
        SELECT auction_id, sequence FROM entries
        WHERE transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip($2::pg_snapshot)))
        LIMIT ${maxAppended + 1}
      ) AS appended
    )
  END AS appended
  FROM current`

type Row = {
  readonly snapshot: string
  readonly server: string
  readonly appended: readonly (readonly [auctionId: Appended['auctionId'], sequence: number])[] | null
}

/**
 * Each entry has the number of its transaction, in an index. The marks of a handle end with any of its connections: a
 * server that has crashed may use numbers again of transactions that left no trace.
 */
export const createPostgresqlAppended = ({ query, failures }: Connection): AppendedPart => ({
  async appendedSince(mark) {
    const failed = String(failures())
    const [failedThen, server, snapshot] = mark?.split(' ') ?? []
    const values = failedThen === failed ? [server, snapshot] : [null, null]
    const { rows } = await query<Row>({ what: 'read what was appended', text: sinceSql, values })
    // The cast: the statement returns one row.
    const current = rows[0] as Row
    const appended = current.appended?.map(([auctionId, sequence]) => ({ auctionId, sequence }))
    return {
      mark: `${failed} ${current.server} ${current.snapshot}`,
      appended: appended === undefined || appended.length > maxAppended ? undefined : appended,
    }
  },
})
