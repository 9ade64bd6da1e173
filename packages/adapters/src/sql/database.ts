import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal, Entry } from '@auction/domain/store'
import { type Dialect, standardDialect } from './dialect.ts'
import type { Sql } from './statement.ts'

export type SqlRead = {
  /** Completes "the database could not …". */
  readonly what: string
  readonly sql: Sql
  /** A statement whose caller stopped waiting while it waited for a connection need not be sent. */
  readonly signal?: CallSignal | undefined
}

export type Statements = readonly [Sql, ...Sql[]]

export type SqlWrite = { readonly what: string; readonly statements: Statements }

/** Lists of entries, each of one auction. */
export type EntryLists = readonly (readonly Entry[])[]

/** What a database does for a store. `tableStatements` has its tables. */
export type SqlDatabase = {
  /** Begins messages, such as "MariaDB could not store entries". */
  readonly name: string
  /**
   * Returns the rows, with integers as numbers, texts as strings and bytes as a Uint8Array. They show all that any
   * process has stored. Any error is reported as a StoreUnavailableError.
   */
  query(read: SqlRead): Promise<readonly object[]>
  /**
   * Runs the statements in one transaction, and resolves when it is durable. Returns false if a unique key is
   * taken or the transactions of others are in the way, as in a deadlock: nothing is stored then. Throws if it may be
   * stored, as after a lost connection.
   */
  tryWrite(write: SqlWrite): Promise<boolean>
  readonly dialect?: Partial<Dialect>
  /** A faster way to store each list up to its first taken key. Returns undefined if a repetition is needed. */
  readonly insertFree?: (lists: EntryLists) => Promise<readonly number[] | undefined>
}

/** A database, with what is common to its calls. */
export type Database = {
  readonly dialect: Dialect
  readonly insertFree: SqlDatabase['insertFree']
  query<Row>(what: string, sql: Sql, signal?: CallSignal): Promise<readonly Row[]>
  tryWrite(what: string, statements: Statements): Promise<boolean>
  /** Runs statements whose keys cannot be taken for good; there may be none. */
  write(what: string, statements: readonly Sql[]): Promise<void>
  /** Repeats what another process was in the way of, until it returns a value. */
  repeat<Value>(what: string, attempt: () => Promise<Value | undefined>): Promise<Value>
}

/** Each repetition means that another process was in the way meanwhile. The pauses add up to about half a second. */
const maxTries = 20

/** A random pause, so that transactions that were in each other's way do not meet again. */
const pauseBefore = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** tries, 64)))

export function createDatabase({ name, query, tryWrite, dialect, insertFree }: SqlDatabase): Database {
  const unavailable = (what: string, cause: Error) => new StoreUnavailableError(`${name} could not ${what}`, { cause })
  const failure = (what: string, error: unknown) =>
    isStoreUnavailable(error) ? error : unavailable(what, new Error(reasonOf(error)))

  async function settle<Value>(what: string, call: () => Promise<Value>): Promise<Value> {
    try {
      return await call()
    } catch (error) {
      throw failure(what, error)
    }
  }

  const database: Database = {
    dialect: { ...standardDialect, ...dialect },
    insertFree,
    // The cast: the statement names the columns.
    query: <Row>(what: string, sql: Sql, signal?: CallSignal) =>
      settle(what, () => query({ what, sql, signal }) as Promise<readonly Row[]>),
    tryWrite: (what, statements) => settle(what, () => tryWrite({ what, statements })),
    async write(what, [first, ...others]) {
      if (first !== undefined)
        await database.repeat(what, async () => (await database.tryWrite(what, [first, ...others])) || undefined)
    },
    async repeat(what, attempt) {
      for (let tries = 0; tries < maxTries; tries++) {
        if (tries > 0) await pauseBefore(tries)
        const value = await attempt()
        if (value !== undefined) return value
      }
      throw unavailable(what, new Error('others were repeatedly in the way'))
    },
  }
  return database
}

/** The code of an error. Messages of drivers may contain statements, and so reserves, maximums and passwords. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String('code' in error ? error.code : error.name) : 'a value that is not an Error'
