import type { ListedAuction } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import {
  type AuctionPosition,
  type AuctionQuery,
  givenKeys,
  type ListKeys,
  type ListSource,
  maxScannedAuctions,
  numberOfStage,
  type Stage,
  shortestSource,
} from '@auction/domain/store'
import { pageOfScan } from '@auction/domain/stored'
import type { AuctionListPart } from '../shared/store-parts.ts'
import type { SqliteContext } from './context.ts'
import type { Row } from './database.ts'
import type { ParseRow } from './row-parser.ts'
import { integer, listedAuctionColumns } from './rows.ts'

/** A part of a WHERE clause, with its parameters. */
type Condition = { readonly sql: string; readonly params: Row }

type Position = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: by which ranges of which index, in its order, and with which filter. */
type ListPlan = {
  /** The table, and the index. */
  readonly from: string
  readonly timeColumn: 'createdAtMs' | 'stageMs'
  readonly direction: 'ASC' | 'DESC'
  /** Conditions on the columns of the index before its time. Each of them is a range, and the ranges are merged. */
  readonly ranges: readonly (readonly Condition[])[]
  /** The part of each range after `after`, up to and including `until`; either end may be open. */
  readonly after: Position | undefined
  readonly until: Position | undefined
  /** The conditions that only some auctions of the ranges match; empty if all match. */
  readonly filter: readonly Condition[]
}

function planOf({ order, after, dueByMs }: AuctionQuery, { of, filter }: ListSource): ListPlan {
  const isNewest = order === 'newest'
  const common = {
    timeColumn: isNewest ? 'createdAtMs' : 'stageMs',
    direction: order === 'agenda' ? 'ASC' : 'DESC',
    after,
    until: dueByMs === undefined ? undefined : { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER },
  } as const
  const same = sameAs(filter)
  if ('word' in of) {
    const ranges = [[{ sql: 'word = ?', params: [of.word] }]]
    return {
      ...common,
      from: wordsFirst,
      ranges,
      filter: [...withWords(filter.words, 'titleWords'), ...inStages(filter.stages), ...same],
    }
  }
  const limitedTo = givenKeys(of).map(([key]) => `Of${key[0]?.toUpperCase()}${key.slice(1).replace(/Id$/, '')}`)
  const ranges = of.stages.map((stage) => [...sameAs(of), { sql: `stage = ${numberOfStage(stage)}`, params: [] }])
  const from = `auctions INDEXED BY ${isNewest ? 'newest' : 'byStage'}${limitedTo.join('')}`
  return { ...common, from, ranges, filter: [...withWords(filter.words, 'auctions'), ...same] }
}

/** The words of titles, newest first, each with its auction. SQLite keeps the order of tables in a CROSS JOIN. */
const wordsFirst = 'titleWords CROSS JOIN auctions USING (createdAtMs, id)'

/** All of these words, of the auctions of a table. */
function withWords(words: readonly string[], table: 'titleWords' | 'auctions'): readonly Condition[] {
  const sql =
    'NOT EXISTS (SELECT 1 FROM json_each(?) AS other WHERE NOT EXISTS (SELECT 1 FROM titleWords AS own ' +
    `WHERE own.word = other.value AND own.createdAtMs = ${table}.createdAtMs AND own.id = ${table}.id))`
  return words.length === 0 ? [] : [{ sql, params: [JSON.stringify(words)] }]
}

const inStages = (stages: readonly Stage[] | undefined): readonly Condition[] =>
  stages === undefined ? [] : [{ sql: `stage IN (${stages.map(numberOfStage).join(', ')})`, params: [] }]

const sameAs = (keys: ListKeys): readonly Condition[] =>
  givenKeys(keys).map(([key, value]) => ({ sql: `${key} = ?`, params: [integer(value)] }))

/** SQLite compares time and id together, as in the index, so each end of the range is one seek. */
function endsOf({ timeColumn, direction, after, until }: ListPlan): readonly Condition[] {
  const [later, upTo] = direction === 'ASC' ? ['>', '<='] : ['<', '>=']
  const end = (operator: string, position: Position | undefined): readonly Condition[] =>
    position === undefined
      ? []
      : [{ sql: `(${timeColumn}, id) ${operator} (?, ?)`, params: [integer(position.timeMs), integer(position.id)] }]
  return [...end(later, after), ...end(upTo, until)]
}

/** The auctions of all ranges. With an ORDER BY that is the order of the index, SQLite merges them as it reads. */
function selectionOf(plan: ListPlan, columns: string): Condition {
  const ranges = plan.ranges.map((range) => [...range, ...endsOf(plan), ...plan.filter])
  const selects = ranges.map(
    (range) => `SELECT ${columns} FROM ${plan.from} WHERE ${range.map(({ sql }) => sql).join(' AND ')}`,
  )
  return { sql: selects.join(' UNION ALL '), params: ranges.flat().flatMap(({ params }) => params) }
}

/** All auctions of the ranges, of which only the index is read. */
const unfiltered = (plan: ListPlan): ListPlan => ({
  ...plan,
  from: plan.from === wordsFirst ? 'titleWords' : plan.from,
  filter: [],
})

/** Lists auctions along one index, in its order. */
export function createSqliteAuctionLists({ list }: SqliteContext, parse: ParseRow<ListedAuction>): AuctionListPart {
  function select(plan: ListPlan, columns: string, limit: number, skip: number, signal: AuctionQuery['signal']) {
    const { timeColumn, direction } = plan
    const { sql, params } = selectionOf(plan, `${timeColumn} AS timeMs, ${columns}`)
    const inOrder = `${sql} ORDER BY timeMs ${direction}, id ${direction} LIMIT ? OFFSET ?`
    return list('list auctions', inOrder, [...params, limit, skip], signal)
  }

  async function count(query: AuctionQuery, sources: readonly ListSource[]): Promise<readonly number[]> {
    const selections = sources.map((source) => selectionOf(unfiltered(planOf(query, source)), '1'))
    const counts = selections.map(({ sql }) => `(SELECT count(*) FROM (${sql} LIMIT ${maxScannedAuctions + 1}))`)
    const params = selections.flatMap((selection) => selection.params)
    const [row = []] = await list('list auctions', `SELECT ${counts.join(', ')}`, params, query.signal)
    return row.map(Number)
  }

  return {
    async listAuctions(query) {
      const { order, signal } = query
      const { source, isBounded } = await shortestSource(query, (sources) => count(query, sources))
      const plan = planOf(query, source)
      const positionOf = ([timeMs, id]: Row): AuctionPosition => ({
        order,
        timeMs: Number(timeMs),
        id: Number(id) as AuctionId, // The cast: the id is that of an auction that was read.
      })

      /** The position of the last auction that may be examined, if more auctions follow. */
      async function findScanEnd(): Promise<AuctionPosition | undefined> {
        const [last, following] = await select(unfiltered(plan), 'id', 2, maxScannedAuctions - 1, signal)
        return last && following && positionOf(last)
      }

      const scanEnd = isBounded ? await findScanEnd() : undefined
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more auction shows whether another page exists.
      const rows = await select({ ...plan, until: scanEnd ?? plan.until }, listedAuctionColumns, limit + 1, 0, signal)
      return pageOfScan({ limit, rows, scanEnd, positionOf, parse: ([, ...listed]) => parse(listed) })
    },
  }
}
