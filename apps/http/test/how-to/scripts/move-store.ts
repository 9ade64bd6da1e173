import { existsSync } from 'node:fs'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore } from '@auction/adapters/sqlite'
import type { CheckpointKey } from '@auction/delivery/checkpoints'
import { endOf, wordsOf } from '@auction/domain/auction'
import { type AuctionId, idsPerBlock, toAuctionId } from '@auction/domain/ids'
import type { AuctionPosition, IdKind, LedgerEntry } from '@auction/domain/store'

const fail = (reason: string): never => {
  console.error(reason)
  process.exit(1)
}

const [file = '', uri = ''] = process.argv.slice(2)
// openSqliteStore would create it.
if (!existsSync(file)) fail(`the file ${file} does not exist`)
const from = await openSqliteStore(file)
const to = await connectPostgresqlStore(uri)

/** Claims all blocks of ids that the old store has claimed, so that the new one continues after them. Returns their number. */
async function claimBlocks(kind: IdKind): Promise<number> {
  const block = await from.claimNextIdBlock(kind)
  let claimed = await to.claimNextIdBlock(kind)
  if (claimed > 1) fail('the target is not empty')
  while (claimed < block) claimed = await to.claimNextIdBlock(kind)
  return block
}
await claimBlocks('entries')
const blocks = await claimBlocks('auctions')

let entries = 0
const moved = new Set<AuctionId>()

/** Copies a ledger of any kind, of which this is the last entry. */
async function moveLedger({ auctionId, sequence: last }: LedgerEntry): Promise<void> {
  for (let copied = 0; copied < last; ) {
    const limit = Math.min(500, last - copied)
    const page = await from.listEntries(auctionId, { before: copied + limit + 1, limit })
    if ((await to.append(page.toReversed())) < limit) throw new Error(`an entry of ledger ${auctionId} is taken`)
    copied += limit
  }
  entries += last
}

let after: AuctionPosition | undefined
do {
  const {
    items,
    next,
    unreadable = [],
  } = await from.listAuctions({ order: 'newest', limit: 100, ...(after && { after }) })
  if (unreadable[0] !== undefined) throw unreadable[0]
  const found = await from.findAuctions({ ids: items.map(({ auction }) => auction.id) })
  const keyOf = new Map(found.map(({ auction, requestKey }) => [auction.id, requestKey]))
  for (const { id } of items.map(({ auction }) => auction)) {
    const auction = await from.findAuction(id)
    if (auction === undefined) throw new Error(`auction ${id} is missing`)
    const requestKey = keyOf.get(id)
    if ((await to.insertAuction({ ...auction, ...(requestKey && { requestKey }) })) === 'taken')
      throw new Error(`auction ${id} is taken`)
    const [head] = await from.findHeads([id])
    if (head !== undefined) await moveLedger(head)
    const state = head?.state
    // A search finds a corrected title by words that the creation did not have.
    if (state?.corrections?.title) await to.addTitleWords(id, wordsOf(state.corrections.title))
    const terms = state?.corrections?.terms
    if (state?.phase === 'closed') {
      await to.updateAgenda([{ auctionId: id, ...endOf(auction, state) }])
    } else if (terms !== undefined) {
      // The service finds the corrected position when it checks the auction.
      await to.updateAgenda([{ auctionId: id, checkMs: terms.startTime.epochMs }])
    }
    moved.add(id)
  }
  after = next
} while (after !== undefined)

// Ledgers of other kinds have no auction. Their ids are of the blocks of auctions, or reserved: the largest ones.
const reserved = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
for (let block = 0; block <= blocks; block++) {
  const first = (block - 1) * idsPerBlock.auctions + 1
  const ids = block === 0 ? reserved : Array.from({ length: idsPerBlock.auctions }, (_, index) => first + index)
  const others = ids.map(toAuctionId).filter((id) => !moved.has(id))
  for (const head of await from.findHeads(others)) await moveLedger(head)
}

// How far webhooks are delivered.
for (let key: CheckpointKey | undefined; ; ) {
  const page = await from.checkpoints.list({ after: key, limit: 500 })
  key = page.at(-1)
  if (key === undefined) break
  await to.checkpoints.save(page)
}

await from.close()
await to.close()
console.log(`moved ${moved.size} auctions with ${entries} entries`)
