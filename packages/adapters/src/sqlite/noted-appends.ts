import type { Write } from './protocol.ts'
import type { Row, Statements } from './statements.ts'

/** The number of appends that remain listed: twice those of one answer. */
const kept = 8_000
/** How many appends are removed at once. */
const removed = 1_000

const noteSql = 'INSERT INTO appends (number, appended) SELECT max(number) + ?, ? FROM appends RETURNING number'

/** Lists the appends of a transaction within it, so that others see both at once. The thread for writes uses it. */
export function noteAppends(statements: Statements, writes: readonly Write[], counts: readonly number[]): void {
  const appended = writes.flatMap(({ rows, isAppend }, index) => {
    const last = rows[(counts[index] ?? 0) - 1]
    return isAppend === true && last !== undefined ? [keysOf(last)] : []
  })
  if (appended.length === 0) return
  const [row] = statements.all(noteSql, [appended.length, JSON.stringify(appended)])
  const number = Number(row?.[0])
  if (number % removed < appended.length) statements.run('DELETE FROM appends WHERE number <= ?', [number - kept])
}

/** The auction and the sequence in a row of `rowOfEntry`. */
const keysOf = ([_id, auctionId, sequence]: Row) => [auctionId, sequence]
