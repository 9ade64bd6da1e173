/** Identifies the files of this program: "Auct" in ASCII. */
export const applicationId = 0x41756374

/**
 * The format of the file, its `user_version`. It changes with the schema below and with the content of the columns. A
 * file of another format is refused. Formats 1 and 2 were those of 0.1.0, and 3 was that of 0.2.0. 4 was never published.
 */
export const fileFormat = 5

/**
 * Keys and search fields are columns; the rest of each row is the JSON text `data`. Entries are stored in the order of
 * their ids, so that new entries of all auctions are written next to each other. Stored data never changes, except the stage
 * of an auction, the words of its title, checkpoints and the list of the last appends.
 */
export const schema = `
  -- The id is not INTEGER PRIMARY KEY, the row's number: a list could not seek to a time and an id in one step.
  CREATE TABLE auctions (
    id INTEGER NOT NULL UNIQUE,
    requestKey TEXT,
    ownerId INTEGER NOT NULL,
    productId INTEGER NOT NULL,
    createdAtMs INTEGER NOT NULL,
    -- The number of the stage, and when the auction starts, is due, or has ended.
    stage INTEGER NOT NULL,
    stageMs INTEGER NOT NULL,
    -- How often the auction was corrected until it had this time.
    corrections INTEGER NOT NULL DEFAULT 0,
    data TEXT NOT NULL,
    -- The description, as JSON text, is the last column: the end of a row may be on pages that lists do not read.
    description TEXT
  ) STRICT;
  CREATE UNIQUE INDEX oneAuctionPerRequestKey ON auctions (requestKey) WHERE requestKey IS NOT NULL;
  -- Lists of several stages, or of all, merge these indexes' ranges.
  CREATE INDEX newest ON auctions (stage, createdAtMs, id);
  CREATE INDEX newestOfOwner ON auctions (ownerId, stage, createdAtMs, id);
  CREATE INDEX newestOfProduct ON auctions (productId, stage, createdAtMs, id);
  CREATE INDEX byStage ON auctions (stage, stageMs, id);
  CREATE INDEX byStageOfOwner ON auctions (ownerId, stage, stageMs, id);
  CREATE INDEX byStageOfProduct ON auctions (productId, stage, stageMs, id);

  -- The words under which a search finds an auction.
  CREATE TABLE titleWords (
    word TEXT NOT NULL,
    createdAtMs INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (word, createdAtMs, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    auctionId INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    atMs INTEGER NOT NULL,
    -- Lists of a bidder's bids use this column. It is NULL for other entries.
    bidderId INTEGER,
    requestKey TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX oneEntryPerSequence ON entries (auctionId, sequence);
  CREATE UNIQUE INDEX oneEntryPerRequestKey ON entries (requestKey) WHERE requestKey IS NOT NULL;
  CREATE INDEX bidsOfBidder ON entries (bidderId, atMs) WHERE bidderId IS NOT NULL;

  CREATE TABLE idBlocks (
    idsOf TEXT NOT NULL,
    block INTEGER NOT NULL,
    PRIMARY KEY (idsOf, block)
  ) STRICT, WITHOUT ROWID;

  -- The last transactions with appends, at least one.
  CREATE TABLE appends (
    -- The number of appends up to this transaction.
    number INTEGER PRIMARY KEY,
    -- Differs between transactions with the same number, of which one is lost when a backup is restored.
    token INTEGER NOT NULL DEFAULT (random() >> 12),
    -- The auction and the last sequence of each append, as JSON.
    appended TEXT NOT NULL
  ) STRICT;
  INSERT INTO appends (number, appended) VALUES (0, '[]');

  CREATE TABLE checkpoints (
    auctionId INTEGER NOT NULL,
    name TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (auctionId, name)
  ) STRICT, WITHOUT ROWID;
`
