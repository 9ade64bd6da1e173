import type { Admission, RecordedAdmission } from '../auction/admission.ts'
import { admissionOf, type Claim } from '../register/bidder-list.ts'
import type { ChangedBidder, RegisterCreated, RegisterEntry } from '../register/events.ts'
import type { Store } from '../store/store.ts'
import { ledgerIdOf, type RegisterId, type UserId } from '../values/ids.ts'
import { type Currency, type Decimal, toDecimal } from '../values/money.ts'
import { readLedger } from './read-ledger.ts'

/** Registers with all changes of their bidders, for a verification of the bids that they admitted. */
export type RegisterHistories = {
  /**
   * What the register said of a user at the sequence of a recorded admission, with the recorded claim: at its last
   * entry, if it has fewer. Sequences need not rise from call to call, because servers know different heads.
   */
  admissionAt(registerId: RegisterId, userId: UserId, recorded: RecordedAdmission): Promise<Admission>
}

type Change = { readonly sequence: number; readonly bidder: ChangedBidder }
type History = {
  through: number
  /** The number of changes. */
  count: number
  register: RegisterCreated | undefined
  readonly bidders: Map<UserId, Change[]>
}

/**
 * The changes in memory, of some 200 bytes each. The register that is read is in memory whole, so a longer history is
 * kept until another one is read.
 */
const maxChanges = 200_000

export function createRegisterHistories(store: Pick<Store, 'findHeads' | 'listEntries'>): RegisterHistories {
  // The cast: the kind of an entry shows whether its ledger is that of a register.
  const registers = store as Pick<Store<never>, 'findHeads' | 'listEntries'> as Pick<
    Store<RegisterEntry>,
    'findHeads' | 'listEntries'
  >
  /** The least recently used one is first. */
  const histories = new Map<RegisterId, History>()

  async function readThrough(id: RegisterId, sequence: number): Promise<History> {
    const history: History = histories.get(id) ?? { through: 0, count: 0, register: undefined, bidders: new Map() }
    histories.delete(id)
    histories.set(id, history)
    if (history.through >= sequence) return history
    const [head] = await registers.findHeads([ledgerIdOf(id)])
    if (head?.kind !== 'register') return history
    for await (const entry of readLedger(registers, ledgerIdOf(id), head.sequence, history.through)) add(history, entry)
    dropOld(histories)
    return history
  }

  return {
    async admissionAt(registerId, userId, { registerSequence, byClaim, limitMinor }) {
      const { through, register, bidders } = await readThrough(registerId, registerSequence)
      const sequence = Math.min(registerSequence, through)
      if (register === undefined) return { registerSequence: sequence, registration: 'none' }
      const change = bidders.get(userId)?.findLast((earlier) => earlier.sequence <= sequence)
      const claim = byClaim && claimOf(limitMinor, register.currency)
      return admissionOf(register, change?.bidder, sequence, claim)
    },
  }
}

/** The cast: the amount converts back. */
const claimOf = (limitMinor: RecordedAdmission['limitMinor'], currency: Currency): Claim =>
  limitMinor === undefined ? {} : { limit: toDecimal(limitMinor, currency) as Decimal }

/** Verifications at the same time may read the same entries. */
function add(history: History, { sequence, event }: RegisterEntry): void {
  if (sequence <= history.through) return
  history.through = sequence
  if (event.type === 'register-created') {
    history.register = event
    return
  }
  history.count += event.bidders.length
  for (const bidder of event.bidders) {
    const changes = history.bidders.get(bidder.bidderId)
    if (changes === undefined) history.bidders.set(bidder.bidderId, [{ sequence, bidder }])
    else changes.push({ sequence, bidder })
  }
}

function dropOld(histories: Map<RegisterId, History>): void {
  let total = 0
  for (const { count } of histories.values()) total += count
  for (const [id, { count }] of histories) {
    if (total <= maxChanges || histories.size === 1) return
    histories.delete(id)
    total -= count
  }
}
