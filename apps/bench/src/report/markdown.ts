import { environmentLine } from './environment.ts'
import type { Results } from './results.ts'
import { asMarkdown } from './table.ts'
import { tablesOf } from './tables.ts'

/** The page that docs show. `pnpm bench` writes it, so nothing in it is written by hand. */
export function pageOf(results: Results, hasChart: boolean): string {
  const { seconds, rounds, httpRounds, connections } = results.options
  return [
    '# Benchmark results',
    '',
    'Written by `pnpm bench --memory` with a `--mongodb` for each database, which measures all of this in one run; ' +
      '`pnpm bench --help` lists its options. Do not edit it by hand.',
    '',
    `${environmentLine(results.environment)}.`,
    '',
    `Medians of ${rounds} rounds of ${seconds} s, over HTTP of ${httpRounds}. Every client sends its next ` +
      'operation when its last one is answered. The rounds take the points in turn, so that a slow phase of the machine hits ' +
      `all. Each contestant may open ${connections} connections to the database.`,
    '',
    ...(hasChart ? ['![Bids per second and latencies by number of clients](results.svg)', ''] : []),
    ...results.notes.map((note) => `> ${note}\n`),
    ...tablesOf(results).map(asMarkdown),
    ...explanations,
  ].join('\n')
}

const explanations = [
  '## What the lines mean',
  '',
  '- **raw insertOne** and **raw insertMany** write the documents that our ledger writes, into a collection with the same ' +
    'indexes, at the same write concern, and decide nothing: the floor and the limit. insertMany counts bids, its latencies ' +
    'are those of a hundred.',
  '- **placeBid**, **createAuction** and **closeDue** are those of the service that production runs, on the MongoDB adapter.',
  '- **with a key** has an `Idempotency-Key` of its own on every bid, a UUID. It is stored with the bid, in a second unique index.',
  '- **find the highest, then insert**, **conditional findOneAndUpdate** and **withTransaction** are what is written instead; ' +
    'the second keeps no record of the bids.',
  '- All are offered the same bids: amounts rise from one counter, so nearly all can be accepted.',
  '- **wrong outcomes** are counted from what the clients were told: two were told that they took the same step of the price, ' +
    'or a bid was accepted that does not rise above the one before. In brackets, their share of the accepted bids.',
  '- **Auctions closed**: each has one bid, and all end at one moment. Bids on other auctions go on; accepted bids and ' +
    'latencies are theirs, while the other work goes on.',
  '- **Two processes** have a service and connections each. Sticky: all four bidders of an auction are at one of them; spread: ' +
    'two at each. Whoever bids later offers more. Latencies are those of the process where they are longer. A calm auction, of ' +
    'which each process has one, has one bidder, who bids about every 10 ms.',
  '- **raw INSERT** writes the rows that our store writes, into a file with the same indexes, by Node’s own SQLite driver, each in a ' +
    'transaction that is on the disk when it ends.',
  '- **loop delay** is by how much a timer of a millisecond comes too late in the server’s process.',
  '- **CPU µs/request** is the CPU time of the server process, of user and system in all threads, over the requests it ' +
    'answered. Bare Fastify parses the same body, serializes the answer by a schema, and sends the same bytes.',
  '- **times CPU**, **times p50** and **times p99** compare each round with the same round of the first line of their table, and ' +
    'are the medians of these ratios.',
  '- **Latencies** are those of a closed loop: a client that waits for a slow answer sends nothing meanwhile. The README ' +
    'says what that leaves out.',
  '',
]
