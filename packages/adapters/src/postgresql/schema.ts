import type { ClientBase } from 'pg'

export const schemaName = 'auctions'

/** The format of the schema and of the content of its columns. Data of another format is refused. 0.2.0 had format 1. */
export const schemaFormat = 2

/** "Auct" in ASCII. */
const lockKey = 0x41756374

/** A partly restored backup lacks them, and without them taken keys are not detected. */
const indexes = [
  ...['auctions_pkey', 'auctions_request_key', 'auctions_newest', 'auctions_newest_of_owner'],
  ...['auctions_newest_of_product', 'auctions_by_stage', 'auctions_by_stage_of_owner', 'auctions_by_stage_of_product'],
  ...['title_words_pkey', 'entries_pkey', 'entries_id', 'entries_request_key', 'entries_of_bidder', 'entries_appended'],
  ...['id_blocks_pkey', 'checkpoints_pkey'],
]

/**
 * Keys and search fields are columns; the rest of each row is the JSON text `data`. It is not `jsonb`, which does not
 * accept NUL and changes the notation of numbers. Keys of requests are bytes, because `text` does not accept NUL
 * either. Rows never change, except an auction's `stage`, a number, and `stage_ms`: when it starts, is due, or has ended.
 * Lists of several stages, or of all, merge ranges of an index. `title_words` is the index of searches.
 */
const schemaSql = `
  SELECT pg_advisory_xact_lock(${lockKey});
  DO $$ BEGIN
    IF to_regclass('${schemaName}.format') IS NOT NULL THEN RETURN; END IF;
    -- A user without the right to create schemas can use an empty one.
    IF to_regnamespace('${schemaName}') IS NULL THEN CREATE SCHEMA ${schemaName}; END IF;

    CREATE TABLE auctions (
      id bigint PRIMARY KEY,
      request_key bytea,
      owner_id bigint NOT NULL,
      product_id bigint NOT NULL,
      created_at_ms bigint NOT NULL,
      stage smallint NOT NULL,
      stage_ms bigint NOT NULL,
      corrections bigint NOT NULL DEFAULT 0, -- Until the auction had this stage_ms.
      data text NOT NULL,
      description text -- The JSON text.
    );
    CREATE UNIQUE INDEX auctions_request_key ON auctions (request_key) WHERE request_key IS NOT NULL;
    CREATE INDEX auctions_newest ON auctions (stage, created_at_ms, id);
    CREATE INDEX auctions_newest_of_owner ON auctions (owner_id, stage, created_at_ms, id);
    CREATE INDEX auctions_newest_of_product ON auctions (product_id, stage, created_at_ms, id);
    CREATE INDEX auctions_by_stage ON auctions (stage, stage_ms, id);
    CREATE INDEX auctions_by_stage_of_owner ON auctions (owner_id, stage, stage_ms, id);
    CREATE INDEX auctions_by_stage_of_product ON auctions (product_id, stage, stage_ms, id);

    CREATE TABLE title_words (
      word text COLLATE "C",
      created_at_ms bigint,
      id bigint,
      PRIMARY KEY (word, created_at_ms, id)
    );

    CREATE TABLE entries (
      auction_id bigint,
      sequence bigint,
      id bigint NOT NULL,
      at_ms bigint NOT NULL,
      bidder_id bigint, -- Lists of a bidder's bids use this column. It is NULL for other entries.
      request_key bytea,
      data text NOT NULL,
      -- The transaction that inserted the row, in 64 bits, which never begin again. A restored dump has numbers of
      -- another server.
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      PRIMARY KEY (auction_id, sequence)
    );
    CREATE UNIQUE INDEX entries_id ON entries (id);
    CREATE UNIQUE INDEX entries_request_key ON entries (request_key) WHERE request_key IS NOT NULL;
    CREATE INDEX entries_of_bidder ON entries (bidder_id, at_ms, id) WHERE bidder_id IS NOT NULL;

    CREATE INDEX entries_appended ON entries (transaction_id);

    CREATE TABLE id_blocks (kind text PRIMARY KEY, block bigint NOT NULL);

    CREATE TABLE checkpoints (
      auction_id bigint,
      name text COLLATE "C",
      sequence bigint NOT NULL,
      PRIMARY KEY (auction_id, name)
    );

    CREATE TABLE format (version bigint NOT NULL);
    INSERT INTO format VALUES (${schemaFormat});
  END $$`

/** Creates the schema if it is missing, once for several starting processes. @throws Error like `hasSchema` */
export async function ensureSchema(client: ClientBase): Promise<void> {
  if (await hasSchema(client)) return
  await client.query(schemaSql) // Several statements in one message are one transaction.
  await hasSchema(client)
}

/**
 * Returns whether the schema exists. Does not change the database.
 * @throws Error with the problem of an unusable server or of its data
 */
async function hasSchema(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      to_regclass('${schemaName}.format') IS NOT NULL AS "hasFormat"`)
  const { version, encoding, hasFormat } = rows[0]
  refuseServer(version, encoding)
  if (hasFormat !== true) return false
  const formats = await client.query('SELECT version FROM format')
  const format = formats.rows.map((row) => row.version).join()
  if (format !== String(schemaFormat)) {
    throw new Error(
      `the schema ${schemaName} has data of format ${format || 'unknown'}, and this program reads and writes format ` +
        `${schemaFormat}; name another database, or use the version of the program that created this one`,
    )
  }
  const missing = await client.query(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('${schemaName}.' || name) AND indisvalid)`,
    [indexes],
  )
  if (missing.rows.length === 0) return true
  const names = missing.rows.map(({ name }) => name).join(', ')
  throw new Error(`the schema ${schemaName} lacks ${names}; if it comes from a backup, restore the whole backup`)
}

const leastVersion = 13

/** @throws Error with the requirement that is not met */
export function refuseServer(version: number, encoding: string): void {
  const major = Math.floor(version / 10_000)
  if (major < leastVersion) throw new Error(`PostgreSQL ${major} is too old; use ${leastVersion} or newer`)
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return
  throw new Error(`the database has the encoding ${encoding}, which cannot store every text; use a database with UTF8`)
}
