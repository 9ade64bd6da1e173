import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedAuction } from '@auction/domain/auction'
import {
  createRegisterHistories,
  type LedgerDifference,
  listDirectory,
  readLots,
  type Verification,
  verifyAuction,
  verifyDirectory,
  verifyRegister,
  verifySale,
} from '@auction/domain/audit'
import { isUnopened, isUnreadableStored } from '@auction/domain/errors'
import { AuctionId, type SaleId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type AuctionPosition, auctionPages, type Store } from '@auction/domain/store'
import * as v from 'valibot'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { loadSealer } from '../process/load-sealer.ts'
import { fail, messageOf, print } from '../process/terminal.ts'
import { type Interruption, interruptible } from './interruption.ts'
import { withStore } from './with-store.ts'

/**
 * Verifies the ledgers of all registers, sales and auctions, or of some auctions, and prints the first difference of
 * each. A server may run.
 * @param texts The ids of the auctions; none for all.
 * @param after The id of the auction after which an earlier run ended.
 */
export async function verify(texts: readonly string[], after: string | undefined): Promise<void> {
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults, ...reading.warnings)
  const ids = idsIn(texts)
  if (ids === undefined) return fail(`--verify: ${idsRule}`)
  const afterIds = after === undefined ? [] : idsIn([after])
  if (afterIds === undefined || afterIds.length > 1) return fail('--after: must be the id of an auction')
  if (after !== undefined && ids.length > 0) return fail('--after: cannot be used with ids of auctions')
  const interruption = interruptible()
  await withStore('--verify', reading.configuration.store, async (store) => {
    const paced = pacedReads(store, interruption)
    const run = newRun('auction')
    try {
      const sealer = loadSealer(reading.configuration, false)?.sealer
      const start = await positionAfter(paced, afterIds[0])
      if (ids.length === 0 && start === undefined) {
        await verifyListed(paced, 'registers', async (line) =>
          line.type === 'register-listed' ? verifyRegister(paced, line.id, line) : refused(undefined),
        )
        await verifyListed(paced, 'sales', async (line, report) =>
          line.type === 'sale-listed' ? verifySaleOf(paced, line, report) : refused(undefined),
        )
      }
      const registers = createRegisterHistories(paced)
      const isListed = createSaleLists(paced)
      for await (const auction of ids.length > 0 ? auctionsOf(paced, ids) : auctionsAfter(paced, start, run)) {
        const { id, saleId, lot } = auction
        await verifyOne(run, `Auction ${id}`, () => verifyAuction(paced, id, sealer, registers))
        if (!(await isListed(auction)))
          reportFailure(run, `Auction ${id} names lot ${lot} of sale ${saleId}, which does not list it.`)
        printProgress(run, id)
      }
      summarise(run)
    } catch (error) {
      fail(messageOf(error), ...(ids.length > 0 ? [] : continuation(run)))
    }
  })
}

const idsRule = 'must be followed by ids of auctions, such as 3 5, or by none for all auctions'

function idsIn(texts: readonly string[]): readonly AuctionId[] | undefined {
  const names = texts.flatMap((text) => text.split(','))
  const { success, output } = v.safeParse(v.array(AuctionId), names.map(idIn))
  return success ? output : undefined
}

const idIn = (text: string): number => (/^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN)

/** What a run has done so far. */
type Run = {
  /** What it verifies. */
  readonly kind: 'auction' | 'register' | 'sale'
  ledgers: number
  entries: number
  /** The number of ledgers that differ or cannot be verified. */
  failed: number
  /** The last one of which the result is printed. */
  last: number | undefined
  /** When the progress was printed. */
  printedAtMs: number
}

const newRun = (kind: Run['kind']): Run => ({
  kind,
  ledgers: 0,
  entries: 0,
  failed: 0,
  last: undefined,
  printedAtMs: performance.now(),
})

type Reads = Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries' | 'listAuctions'>

/** Reads with pauses that are as long as the reads, so that a store has at least half of its time for the service. */
function pacedReads(store: Reads, interruption: Interruption): Reads {
  const paced =
    <Args extends readonly unknown[], Value>(read: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      if (interruption.isRequested) throw new Error('interrupted')
      const startMs = performance.now()
      const value = await read(...args)
      await sleep(performance.now() - startMs)
      return value
    }
  return {
    findAuctions: paced(store.findAuctions),
    findHeads: paced(store.findHeads),
    listEntries: paced(store.listEntries),
    listAuctions: paced(store.listAuctions),
  }
}

async function positionAfter({ findAuctions }: Reads, id: AuctionId | undefined): Promise<AuctionPosition | undefined> {
  if (id === undefined) return undefined
  const [found] = await findAuctions({ ids: [id] })
  if (found === undefined) throw new Error(`--after: auction ${id} does not exist`)
  return { order: 'newest', timeMs: found.auction.createdAtMs, id }
}

const auctionsPerPage = 100

type Verified = Pick<ListedAuction, 'id' | 'saleId' | 'lot'>

/** These auctions, or only their ids if they do not exist. */
async function* auctionsOf({ findAuctions }: Reads, ids: readonly AuctionId[]): AsyncGenerator<Verified> {
  for (const id of ids) {
    const [found] = await findAuctions({ ids: [id] }).catch(unlessUnreadable)
    yield found?.auction ?? { id }
  }
}

/** The verification reports it. */
function unlessUnreadable(error: unknown): readonly [] {
  if (isUnreadableStored(error)) return []
  throw error
}

/** All auctions, newest first. Those that are created meanwhile are left out. */
async function* auctionsAfter(store: Reads, after: AuctionPosition | undefined, run: Run): AsyncGenerator<Verified> {
  const pages = auctionPages(store, { order: 'newest', limit: auctionsPerPage, after })
  for await (const { items, unreadable = [] } of pages) {
    for (const error of unreadable) reportFailure(run, messageOf(error))
    for (const { auction } of items) yield auction
  }
}

/** The number of sales whose lots are in memory: the auctions of a sale mostly follow each other. */
const maxSales = 10

/** Whether a sale lists an auction that names it. Others need none. */
function createSaleLists(store: Reads): (auction: Verified) => Promise<boolean> {
  const lists = new Map<SaleId, Awaited<ReturnType<typeof readLots>>>()
  return async ({ id, saleId, lot = '' }) => {
    if (saleId === undefined) return true
    if (lists.get(saleId)?.find(lot)?.auctionId === id) return true
    // It may have been added since.
    const list = await readLots(store, saleId)
    lists.delete(saleId)
    lists.set(saleId, list)
    for (const oldest of lists.keys()) if (lists.size > maxSales) lists.delete(oldest)
    return list.find(lot)?.auctionId === id
  }
}

/** Verifies all registers or sales, and the directory that lists them. Prints nothing without any. */
async function verifyListed(store: Reads, name: 'registers' | 'sales', verifyLine: VerifyLine): Promise<void> {
  const run = newRun(name === 'registers' ? 'register' : 'sale')
  const isRead = await verifyOne(run, `The directory of ${name}`, async () =>
    accepted(await verifyDirectory(store, name)),
  )
  // The directory is no register, and no sale.
  run.ledgers = run.entries = 0
  if (isRead)
    for await (const line of listDirectory(store, name)) {
      const title = `${name === 'registers' ? 'Register' : 'Sale'} ${line.id}`
      await verifyOne(run, title, () => verifyLine(line, (text) => reportFailure(run, `${title} ${text}`)))
      printProgress(run, line.id)
    }
  if (run.ledgers > 0 || run.failed > 0) summarise(run)
}

type Listed = ReturnType<typeof listDirectory> extends AsyncGenerator<infer Line> ? Line : never
type VerifyLine = (line: Listed, report: (text: string) => void) => Promise<Result<Verification, unknown>>

/** A sale also needs the auctions of its lots. */
async function verifySaleOf(
  store: Reads,
  line: Extract<Listed, { readonly type: 'sale-listed' }>,
  report: (text: string) => void,
): Promise<Result<Verification, unknown>> {
  const verified = await verifySale(store, line.id, line)
  if (!verified.ok) return verified
  const { unfinishedLots, foreignLots } = verified.value
  if (unfinishedLots.length > 0)
    report(`has lots without an auction: ${unfinishedLots.join(', ')}; send the requests that added them again.`)
  if (foreignLots.length > 0) report(`has lots whose auctions are not of it: ${foreignLots.join(', ')}.`)
  return verified
}

/** Returns whether the ledger can be read. */
async function verifyOne(
  run: Run,
  name: string,
  verifyLedger: () => Promise<Result<Verification, unknown>>,
): Promise<boolean> {
  try {
    const verified = await verifyLedger()
    if (!verified.ok) reportFailure(run, `${name} does not exist.`)
    else {
      const { entries, difference } = verified.value
      run.ledgers += 1
      run.entries += entries
      if (difference !== undefined) reportFailure(run, differenceText(name, difference))
    }
    return true
  } catch (error) {
    if (isUnreadableStored(error)) reportFailure(run, `${name} cannot be read: ${error.message}`)
    else if (isUnopened(error)) reportFailure(run, `${name} cannot be verified: ${error.message} (SEALED_BIDS_KEY)`)
    else throw error
    return false
  }
}

const differenceText = (name: string, { sequence, recorded, recomputed }: LedgerDifference): string =>
  `${name} differs at entry ${sequence}:
  recorded:     ${JSON.stringify(recorded) ?? 'nothing'}
  this version: ${JSON.stringify(recomputed)}`

function reportFailure(run: Run, text: string): void {
  run.failed += 1
  print(text)
}

const betweenProgressMs = 10_000

/** The process may end without a signal, so the progress has what a later run needs. */
function printProgress(run: Run, last: NonNullable<Run['last']>): void {
  run.last = last
  if (performance.now() - run.printedAtMs < betweenProgressMs) return
  run.printedAtMs = performance.now()
  print(`${countsOf(run)} so far, up to ${run.kind} ${last}`)
}

const countsOf = ({ kind, ledgers, entries }: Run): string =>
  `${counted(ledgers, kind)} with ${counted(entries, 'entry', 'entries')}`

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

function summarise(run: Run): void {
  print(`Verified ${countsOf(run)}.`)
  if (run.failed > 0) fail(`${counted(run.failed, run.kind)} failed`)
}

const continuation = (run: Run): readonly string[] =>
  run.last === undefined ? [] : [`Verified ${countsOf(run)}; to continue, run: start --verify --after ${run.last}`]
