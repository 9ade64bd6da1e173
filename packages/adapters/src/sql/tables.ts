import { listKeys } from '@auction/domain/store'
import { columnOf } from './rows.ts'

/** How a database writes the types of columns. */
export type SqlTypes = {
  /** An integer of 64 bits. */
  readonly integer: string
  /** The key of a request: up to 700 bytes, compared byte by byte. */
  readonly key: string
  /** A name or a word: up to 64 characters, compared exactly, including a space at the end. */
  readonly name: string
  /** A JSON text of up to 64 KiB. Columns for JSON reorder members, and refuse NUL. */
  readonly text: string
  /** Follows each table. */
  readonly options?: string
  /** Whether `CREATE TABLE` has indexes. Otherwise each is a statement. */
  readonly hasIndexesInTables?: boolean
}

/** The types of the databases that are tested. */
export const sqlTypes = {
  mariadb: {
    integer: 'BIGINT',
    key: 'VARBINARY(700)',
    name: 'VARCHAR(64)',
    text: 'LONGTEXT',
    options: 'ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin',
    hasIndexesInTables: true,
  },
  postgresql: { integer: 'bigint', key: 'bytea', name: 'text COLLATE "C"', text: 'text' },
} as const satisfies Readonly<Record<string, SqlTypes>>

type Table = { readonly columns: readonly string[]; readonly indexes: readonly string[] }

const tablesOf = ({ integer, key, name, text }: SqlTypes): Readonly<Record<string, Table>> => ({
  auctions: {
    columns: [
      `id ${integer} PRIMARY KEY`,
      `request_key ${key} UNIQUE`, // Of the request that created it, or NULL.
      ...listKeys.map((key) => `${columnOf(key)} ${integer} NOT NULL`),
      `created_at_ms ${integer} NOT NULL`, // All times are milliseconds since 1970.
      // The lists that it is in, a number of `numberOfStage`; since when, or when to look at it next; and the number
      // of its corrections and repairs then. Only these three change.
      `stage ${integer} NOT NULL`,
      `stage_ms ${integer} NOT NULL`,
      `corrections ${integer} NOT NULL`,
      `data ${text} NOT NULL`, // The other fields as JSON, with the version of their format.
      `description ${text}`, // A JSON text, or NULL. Lists do not read it.
    ],
    indexes: ['created_at_ms', 'stage_ms'].flatMap((time) =>
      ['', ...listKeys.map((key) => `${columnOf(key)}, `)].map((filter) => `${filter}stage, ${time}, id`),
    ),
  },
  // The index of searches: the words of each title.
  title_words: {
    columns: [
      ...[`word ${name} NOT NULL`, `created_at_ms ${integer} NOT NULL`, `id ${integer} NOT NULL`],
      'PRIMARY KEY (word, created_at_ms, id)',
    ],
    indexes: [],
  },
  entries: {
    columns: [
      ...[`auction_id ${integer} NOT NULL`, `sequence ${integer} NOT NULL`, `id ${integer} NOT NULL UNIQUE`],
      `at_ms ${integer} NOT NULL`,
      `request_key ${key} UNIQUE`, // Of the request that made it, or NULL.
      `data ${text} NOT NULL`, // The event and the state after it as JSON, with the version of their format.
      `bidder_id ${integer}`, // Lists of a bidder's bids use this column. It is NULL for other entries.
      'PRIMARY KEY (auction_id, sequence)',
    ],
    indexes: ['bidder_id, at_ms, id'],
  },
  // The blocks of ids that processes have claimed, one row for each.
  id_blocks: {
    columns: [`kind ${name} NOT NULL`, `block ${integer} NOT NULL`, 'PRIMARY KEY (kind, block)'],
    indexes: [],
  },
  // The sequence up to which a subscriber, by its name, has received the events of an auction.
  checkpoints: {
    columns: [
      ...[`auction_id ${integer} NOT NULL`, `name ${name} NOT NULL`, `sequence ${integer} NOT NULL`],
      'PRIMARY KEY (auction_id, name)',
    ],
    indexes: [],
  },
})

/** The statements that create the tables and indexes of `createSqlStore`, those that are missing. */
export function tableStatements(types: SqlTypes): readonly string[] {
  const { options = '', hasIndexesInTables = false } = types
  return Object.entries(tablesOf(types)).flatMap(([table, { columns, indexes }]) => {
    const named = indexes.map((columnList) => ({ name: `${table}_by_${columnList.replaceAll(', ', '_')}`, columnList }))
    const inTable = hasIndexesInTables ? named.map(({ name, columnList }) => `INDEX ${name} (${columnList})`) : []
    const after = hasIndexesInTables ? [] : named
    return [
      `CREATE TABLE IF NOT EXISTS ${table} (${[...columns, ...inTable].join(', ')}) ${options}`,
      ...after.map(({ name, columnList }) => `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${columnList})`),
    ]
  })
}
