import { type Terms, termsOf } from '../auction/auction.ts'
import { type AuctionNotFound, auctionLedger } from '../auction/auction-ledger.ts'
import type { Command } from '../auction/commands.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { Tally } from '../auction/formats/format.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { recordedCommand } from '../auction/recorded-command.ts'
import { openedEntry } from '../auction/sealed-entry.ts'
import { continued, standingWithout, withoutBidder } from '../auction/without-bidder.ts'
import { noSealer, type Sealer } from '../sealer.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireId } from './check-arguments.ts'
import { readLedger } from './read-ledger.ts'
import { createRegisterHistories, type RegisterHistories } from './register-histories.ts'
import { type Verification, verifyLedger } from './verify-ledger.ts'

type VerifiedStore = Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'>

/**
 * Verifies the ledger of an auction: whether `decide` and `evolve` of this version give every entry again, from its
 * request, its time and the entry before it. Reads the entries up to the last one at the time of the call, a page at a
 * time, and writes nothing. The result is for operators, because it may contain secrets.
 * The result of a sealed auction is tallied again, from its opened bids. With a register, each bid and purchase is
 * decided again on the register as it was; only the limit of a claim is taken as recorded.
 * @param registers those of a run over several auctions, so that it reads each register once
 * @throws InvalidValueError for an invalid id
 * @throws SealedError and KeyMissingError, if a sealed bid cannot be opened
 * @throws StoreUnavailableError, and UnreadableStoredError if this version cannot read an entry
 */
export async function verifyAuction(
  store: VerifiedStore,
  auctionId: AuctionId,
  sealer: Sealer = noSealer,
  registers: RegisterHistories = createRegisterHistories(store),
): Promise<Result<Verification, AuctionNotFound>> {
  requireId(auctionId, 'id of a verified auction')
  const [[found], [head]] = await Promise.all([store.findAuctions({ ids: [auctionId] }), store.findHeads([auctionId])])
  if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
  const terms = termsOf(found.auction)
  const last = head?.sequence ?? 0
  const tally = formatOf(terms).createTally?.()
  const entries = openedLedger(store, terms, last, sealer)
  const verified = verifyLedger(auctionLedger, entries, terms, last, async (before, entry) => {
    const command = await commandOf(store, terms, before, entry, tally)
    tally?.add(entry)
    return admitted(registers, terms, command)
  })
  return accepted(await verified)
}

async function* openedLedger(store: VerifiedStore, { id }: Terms, last: number, sealer: Sealer) {
  for await (const entry of readLedger(store, id, last)) yield openedEntry(entry, sealer)
}

/**
 * A withdrawal contains what is left without the bids, for which the ledger up to it is read again, unless a tally of
 * the bids before the entry has it.
 */
async function commandOf(
  store: VerifiedStore,
  terms: Terms,
  { sequence, state }: Pick<AuctionEntry, 'sequence' | 'state'>,
  entry: AuctionEntry,
  tally: Tally<AuctionEntry> | undefined,
): Promise<Command> {
  const command = recordedCommand(entry)
  if (tally !== undefined && command.type === 'close') return { ...command, tally }
  if (tally !== undefined && command.type === 'withdraw-own-bid')
    return { ...command, hasBids: tally.hasBids(command.bidderId) }
  if (command.type !== 'withdraw' || tally !== undefined) return command
  let without = withoutBidder(terms, command.bidderId, state)
  for await (const earlier of readLedger(store, terms.id, sequence)) without = continued(without, [earlier])
  return { ...command, without: standingWithout(without) }
}

/** The command with the admission of its bidder by the register at the recorded sequence, without which it has none. */
async function admitted(
  registers: RegisterHistories,
  { registerId, showPaddles }: Terms,
  command: Command,
): Promise<Command> {
  if (command.type !== 'place-bid' && command.type !== 'buy-now') return command
  const { admission: recorded, ...sent } = command
  if (recorded === undefined || registerId === undefined) return sent
  const userId = command.type === 'place-bid' ? command.bidderId : command.buyerId
  const { paddle, ...hidden } = await registers.admissionAt(registerId, userId, recorded)
  return { ...sent, admission: showPaddles && paddle !== undefined ? { ...hidden, paddle } : hidden }
}
