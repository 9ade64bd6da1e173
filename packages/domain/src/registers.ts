import { directoryLedger } from './ledger/directory.ts'
import { createFoldedLedgers } from './ledger/folded-ledgers.ts'
import { createLanes, type LaneParts } from './ledger/lanes.ts'
import type { Lifetime } from './lifetime.ts'
import type { createReadLimit } from './limits.ts'
import { type BidderLists, createBidderList } from './register/bidder-list.ts'
import type { RegisterListed } from './register/events.ts'
import { type RegisterTypes, registerLedger } from './register/register-ledger.ts'
import type { IdSource } from './store/ids-from-blocks.ts'
import type { DirectoryEntry, RegisterEntry, Store } from './store/store.ts'
import { createFindRegister, createRegisterUseCase } from './use-cases/create-register.ts'
import {
  listBiddersUseCase,
  listRegistersUseCase,
  readBidderUseCase,
  readRegisterUseCase,
} from './use-cases/read-registers.ts'
import { setBiddersUseCase } from './use-cases/set-bidders.ts'
import type { WithdrawEverywhere } from './use-cases/withdraw-everywhere.ts'
import type { AuctionId } from './values/ids.ts'

type RegistersParts = Omit<LaneParts<RegisterTypes>, 'kind' | 'store' | 'onWritten'> & {
  readonly store: Store
  readonly auctionIds: IdSource<AuctionId>
}

type UseCasesParts = {
  readonly withdrawEverywhere: WithdrawEverywhere | undefined
  readonly whileOpen: Lifetime['whileOpen']
  readonly limited: ReturnType<typeof createReadLimit>
}

/** The bytes of the cached heads of registers. Their lists of bidders have their own limit. */
const maxCachedBytes = 1024 * 1024
/** The bidders and paddles in memory. */
const maxBidders = 200_000

/** The registers of a service: the lanes of their ledgers and of the directory, the lists in memory, and the use cases. */
export function createRegisters({ store, auctionIds: ids, ...parts }: RegistersParts) {
  const { clock, limit } = parts
  // The casts: the ledgers of registers and the directory have entries of their kind, which readers check.
  const registerStore = store as Store<never> as Store<RegisterEntry>
  const directoryStore = store as Store<never> as Store<DirectoryEntry<RegisterListed>>
  const lists: BidderLists = createFoldedLedgers({
    store: registerStore,
    kind: 'register',
    createFold: createBidderList,
    maxSize: maxBidders,
  })
  const limits = { ...parts.limits, maxCachedBytes }
  const lanes = createLanes({
    ...parts,
    limits,
    kind: registerLedger,
    store: registerStore,
    onWritten: (written, entries) => lists.note(entries.slice(0, written.stored)),
  })
  const onWritten = () => undefined
  const directory = createLanes({
    ...parts,
    limits,
    kind: directoryLedger<RegisterListed>(),
    store: directoryStore,
    onWritten,
  })
  return {
    lists,
    find: createFindRegister(registerStore),
    useCases: ({ withdrawEverywhere, whileOpen, limited }: UseCasesParts) => ({
      createRegister: whileOpen(
        createRegisterUseCase({ name: 'registers', ids, lanes, directory, store: directoryStore, clock, limit }),
      ),
      // It is limited like reads, because it reads the list before its command is queued.
      setBidders: whileOpen(limited(setBiddersUseCase({ lanes, lists, withdrawEverywhere, clock, limit }))),
      readRegister: whileOpen(limited(readRegisterUseCase({ lists }))),
      listRegisters: whileOpen(limited(listRegistersUseCase({ store: directoryStore }))),
      readBidder: whileOpen(limited(readBidderUseCase({ lists }))),
      listBidders: whileOpen(limited(listBiddersUseCase({ lists }))),
    }),
  }
}
