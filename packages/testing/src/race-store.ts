import { type AuctionService, createAuctionService } from '@auction/domain'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { AuctionId } from '@auction/domain/ids'
import { auctionPages, type Entry, type Store, type StoredAuction } from '@auction/domain/store'
import { checkHistory } from './check-history.ts'
import { memoryTypeOf } from './disk.ts'
import type { Attempt, History, Violation } from './history.ts'
import { type Clients, startClients } from './race/clients.ts'
import { startRefusals } from './race/refusals.ts'
import { realClock, wait } from './race/timers.ts'

/** A handle on the store, as a process has it. */
export type RacedStore = Store & { close?(): Promise<void> }

export type RaceOptions = {
  /** Kills the store, or a part of it, without a warning. The handles stay open. */
  readonly kill?: () => Promise<void>
  /** Starts again what was killed. */
  readonly restart?: () => Promise<void>
  /**
   * The folder of the store's data. It must be on a disk: whatever was written to a file system in memory survives a
   * kill, and commits there do not wait.
   */
  readonly folder?: string
  /** How often the store is killed. Default: 3; without `kill` the race has as many rounds. */
  readonly kills?: number
  /** The number of services, each on its own handle. Default: 3. */
  readonly services?: number
  /** The number of clients. Default: 12. */
  readonly clients?: number
  /** The number of bids that each service must accept before a kill, and again after a restart. Default: 100. */
  readonly bidsPerRound?: number
}

export type Race = {
  readonly attempts: readonly Attempt[]
  /** The number of stored entries. */
  readonly entries: number
  /** The contradictions between the responses and the stored data; none, if the store keeps its promises. */
  readonly violations: readonly Violation[]
}

/** The maximum time in which each service must accept bids again after a restart, in milliseconds. */
const maxRecoveryMs = 60_000
const clockSkewMs = 50
const pollMs = 5
const closingEveryMs = 50
const pageSize = 100

/**
 * Lets clients of several services bid on one store while it is killed and restarted, and compares all responses with
 * the data that the store has in the end.
 * @param open opens a handle on the data, for each service and at the end
 * @throws Error if `folder` is known to be in memory, or if a service accepts no bids within a minute after a restart
 */
export async function raceStore(open: () => Promise<RacedStore>, options: RaceOptions = {}): Promise<Race> {
  const { kill, restart, kills = 3, services: count = 3, clients: clientCount = 12, bidsPerRound = 100 } = options
  const memory = options.folder === undefined ? undefined : await memoryTypeOf(options.folder)
  if (memory !== undefined) {
    throw new Error(
      `the folder ${options.folder} is in memory (${memory}), where a race cannot find a missing flush; pass the parent ` +
        'diskFolder() of @auction/testing/disk to startServer, or name a folder on a disk',
    )
  }
  const handles = await Promise.all(Array.from({ length: count }, open))
  const services = handles.map((store) => createAuctionService({ store, clock: realClock, limits: { clockSkewMs } }))
  const clients = startClients(services, clientCount)
  const refusals = startRefusals(services)
  const closing = startClosing(services)
  try {
    for (let round = 0; round < kills; round++) {
      await untilAccepted(clients, bidsPerRound)
      await kill?.()
      await restart?.()
    }
    await untilAccepted(clients, bidsPerRound)
  } finally {
    await Promise.allSettled([clients.stop(), refusals.stop(), closing.stop()])
    await Promise.all(services.map((service) => service.close()))
    await Promise.all(handles.map((handle) => handle.close?.()))
  }
  await Promise.all([clients.stop(), refusals.stop(), closing.stop()])
  const { attempts } = clients
  const stored = await storedIn(open)
  const violations = checkHistory({ ...stored, attempts, clockErrorMs: 5, marginMs: clockSkewMs })
  return { attempts, entries: stored.ledger.length, violations: [...violations, ...refusals.violations()] }
}

/** Waits until each service has accepted this many bids more. */
async function untilAccepted({ accepted, isBroken }: Clients, more: number): Promise<void> {
  const wanted = accepted.map((before) => before + more)
  const startMs = Date.now()
  while (!isBroken() && accepted.some((now, index) => now < (wanted[index] ?? 0))) {
    if (Date.now() - startMs > maxRecoveryMs) {
      throw new Error(`a service accepted fewer than ${more} bids within ${maxRecoveryMs / 1_000} s`)
    }
    await wait(pollMs)
  }
}

/** Closes due auctions through each service, as hosts do. */
function startClosing(services: readonly AuctionService[]) {
  let isStopping = false
  const working = Promise.all(
    services.map(async ({ closeDue }) => {
      while (!isStopping) {
        await closeDue().catch((error: unknown) => {
          if (!isStoreUnavailable(error)) throw error
        })
        await wait(closingEveryMs)
      }
    }),
  )
  return {
    stop() {
      isStopping = true
      return working
    },
  }
}

/** All auctions and entries that the store has, but for those of the auction with a register. */
async function storedIn(open: () => Promise<RacedStore>): Promise<Pick<History, 'auctions' | 'ledger'>> {
  const store = await open()
  try {
    const auctions: StoredAuction[] = []
    const ledger: Entry[] = []
    for await (const { items } of auctionPages(store, { order: 'newest', limit: pageSize })) {
      const ids = items.flatMap(({ auction }) => (auction.registerId === undefined ? auction.id : []))
      for (const { auction, requestKey } of await store.findAuctions({ ids })) {
        auctions.push(requestKey === undefined ? auction : { ...auction, requestKey })
      }
      for (const id of ids) ledger.push(...(await ledgerOf(store, id)))
    }
    return { auctions, ledger }
  } finally {
    await store.close?.()
  }
}

async function ledgerOf(store: Store, auctionId: AuctionId): Promise<readonly Entry[]> {
  const ledger: Entry[] = []
  for (let before: number | undefined; ; ) {
    const page = await store.listEntries(auctionId, { limit: pageSize, before })
    ledger.push(...page)
    before = page.at(-1)?.sequence
    if (page.length < pageSize || before === undefined) return ledger
  }
}
