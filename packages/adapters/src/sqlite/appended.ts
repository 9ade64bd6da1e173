import { type Appended, type AppendedSince, maxAppended } from '@auction/domain/store'
import type { AppendedPart } from '../shared/store-parts.ts'
import type { SqliteContext } from './context.ts'
import type { Row } from './database.ts'

/** The whole table is small. */
const sinceSql = 'SELECT number, token, appended FROM appends WHERE number >= ? ORDER BY number'
const newestSql = 'SELECT number, token FROM appends WHERE number = (SELECT max(number) FROM appends)'

/**
 * A mark is a transaction with appends, by its number and token. As long as the transaction is listed, all later ones
 * are. If it was removed, or is not in a restored backup, the store does not know what followed.
 */
export const createSqliteAppended = ({ find }: SqliteContext): AppendedPart => ({
  async appendedSince(mark): Promise<AppendedSince | undefined> {
    const what = 'read what was appended'
    const [number, token] = mark?.split('/').map(Number) ?? []
    const rows = Number.isSafeInteger(number) ? await find(what, sinceSql, [number ?? 0]) : []
    const [first, last] = [rows[0], rows.at(-1)]
    const isListed = first !== undefined && first[0] === number && first[1] === token
    if (isListed && last !== undefined && Number(last[0]) - Number(number) <= maxAppended) {
      return { mark: markOf(last), appended: rows.slice(1).flatMap(parse) }
    }
    const [newest] = await find(what, newestSql, [])
    return newest && { mark: markOf(newest), appended: undefined }
  },
})

const markOf = ([number, token]: Row): string => `${number}/${token}`

function parse([, , appended]: Row): readonly Appended[] {
  // The cast: `noteAppends` writes it.
  const pairs = JSON.parse(String(appended)) as readonly (readonly [Appended['auctionId'], number])[]
  return pairs.map(([auctionId, sequence]) => ({ auctionId, sequence }))
}
