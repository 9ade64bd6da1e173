import type { AuctionPosition, Entry, Store, StoredAuction } from '@auction/domain/store'
import { checkHistory } from '@auction/testing/check-history'
import type { History, Violation } from '@auction/testing/history'
import { startClients } from './clients.ts'
import type { InjectedFault, Scene, StoreUnderTest } from './faults.ts'
import { startFollowers } from './followers.ts'
import { startHttpServer } from './http-server.ts'

export type Story = History & {
  readonly violations: readonly Violation[]
  /** The responses that the OpenAPI document does not declare. */
  readonly breaches: readonly string[]
  readonly exitCodes: readonly (number | null)[]
}

/** The recovery of a server after a fault. */
type Recovery = { readonly fault: string; readonly recoveryMs: number; readonly attempts: number }

export type StoryOptions = {
  readonly store: StoreUnderTest
  readonly clients: number
  /** Returns the next fault, or undefined at the end; receives the recovery after each fault. */
  readonly nextFault: (after: Recovery | undefined) => InjectedFault | undefined
}

/** The number of clients that follow auctions. */
const followersInAll = 100

/**
 * Two HTTP servers serve one store while faults occur, one after another. After each fault both servers must accept bids
 * again without intervention. Returns what the clients saw, what is stored, and the violated promises.
 */
export async function faultStory({ store, clients: count, nextFault }: StoryOptions): Promise<Story> {
  const servers = [await startHttpServer(store.settings[0]), await startHttpServer(store.settings[1])] as const
  const clients = await startClients(servers, count)
  const scene: Scene = { servers, clients }
  const followers = startFollowers(servers, clients.lasting, followersInAll)

  const serving = () => Promise.all(servers.map((server) => clients.accepted(server, clients.count)))
  await serving()
  let turn = 0
  for (let fault = nextFault(undefined); fault !== undefined; ) {
    await fault.inflict(scene, servers[turn++ % 2 === 0 ? 0 : 1])
    const endedAtMs = performance.now()
    await serving()
    fault = nextFault({
      fault: fault.name,
      recoveryMs: performance.now() - endedAtMs,
      attempts: clients.attempts.length,
    })
  }
  await clients.stop()
  await clients.awaitResults(servers[0])
  await clients.bidLast(servers[0])
  await followers.ended

  const exitCodes = await Promise.all(servers.map((server) => server.stop()))
  const stored = await allThatIsStored(store)
  const history = { ...stored, attempts: clients.attempts, clockErrorMs: 5, marginMs: 2_000 }
  const violations = [...checkHistory(history), ...followers.violations(stored.ledger)]
  return { ...history, violations, breaches: clients.breaches, exitCodes }
}

async function allThatIsStored(
  store: StoreUnderTest,
): Promise<{ readonly auctions: readonly StoredAuction[]; readonly ledger: readonly Entry[] }> {
  const opened = await store.open()
  try {
    const auctions = await allAuctions(opened)
    const ledger: Entry[] = []
    for (const { id } of auctions) ledger.push(...(await opened.listEntries(id, { limit: 1_000_000 })))
    return { auctions, ledger }
  } finally {
    await opened.close()
  }
}

async function allAuctions(store: Store): Promise<readonly StoredAuction[]> {
  const auctions: StoredAuction[] = []
  let after: AuctionPosition | undefined
  do {
    const page = await store.listAuctions({ limit: 100, order: 'newest', ...(after && { after }) })
    const ids = page.items.map(({ auction }) => auction.id)
    for (const { auction, requestKey } of await store.findAuctions({ ids })) {
      auctions.push({ ...auction, ...(requestKey && { requestKey }) })
    }
    after = page.next
  } while (after !== undefined)
  return auctions
}
