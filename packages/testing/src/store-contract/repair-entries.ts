import type { Repair } from '@auction/domain/auction'
import { toEntryId, toUserId } from '@auction/domain/ids'
import { toAmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type EntrySample, sampleClosed, sampleEntry, sampleRepair, strangeTexts } from '../samples.ts'
import { keepingEntries } from './helpers.ts'
import type { Suite } from './suite.ts'

const most = Number.MAX_SAFE_INTEGER
const extendedEndMs = Date.parse('2030-02-07T12:05:00.250Z')
const moved = sampleRepair().event
const lowered = { type: 'reserve-lowered', reservePriceMinor: toAmountMinor(0), editor: '1', by: 'owner' } as const
const early = { type: 'closed', result: { outcome: 'unsold', reason: 'no-bids', isEndedEarly: true } } as const

/** A repair after a bid. For a store, any entry may be the first of its auction. */
const repaired = (sample: EntrySample, event: Repair): Entry => ({
  ...sampleRepair({ ...sample, sequence: 2 }, event),
  sequence: 1,
})

/** A bid on an auction with all members that repairs leave. */
function afterRepairs(sample: EntrySample): Entry {
  const bid = sampleEntry(sample)
  const withdrawn = [{ bidderId: toUserId(most), throughSequence: most, isBlocked: true as const }]
  const moved = { latestEndShiftMs: -3_600_000, isEndedEarly: true as const }
  const repairs = {
    entryIds: [toEntryId(1), toEntryId(most)],
    ...moved,
    reservePriceMinor: toAmountMinor(0),
    withdrawn,
  }
  return { ...bid, state: { ...bid.state, extendedEndMs, repairs } }
}

/** Entries of repairs are kept exactly, and so is what later entries have of them. */
export function repairEntries(suite: Suite): void {
  const keeps = keepingEntries(suite)

  keeps('keeps extensions and early ends, in the event and in the state of later entries', [
    sampleRepair(),
    repaired(
      { id: 3, auctionId: 2, extendedEndMs },
      { ...moved, type: 'ended-early', endMs: 1, reason: '🏺'.repeat(500) },
    ),
    ...strangeTexts.map((reason, index) =>
      repaired({ id: 10 + index, auctionId: 10 + index }, { ...moved, reason, editor: reason }),
    ),
    afterRepairs({ id: 100, auctionId: 100 }),
    {
      ...sampleClosed({ id: 101, auctionId: 101, sequence: 2 }),
      sequence: 1,
      event: early,
      state: { ...afterRepairs({ id: 101 }).state, phase: 'closed', result: early.result },
    },
  ])
  keeps('keeps a lower reserve, and the bid at it', [
    sampleRepair({}, lowered),
    sampleRepair(
      { id: 3, auctionId: 2, requestKey: 'lower' },
      { ...lowered, reservePriceMinor: toAmountMinor(1e15 - 1), reason: 'Too high.' },
    ),
    repaired(
      { id: 5, auctionId: 3, maximumMinor: 300_00 },
      {
        ...lowered,
        reservePriceMinor: toAmountMinor(250_00),
        automatic: { bidderId: toUserId(2), amountMinor: toAmountMinor(250_00) },
      },
    ),
  ])
  keeps('keeps withdrawals, with and without a leader after them', [
    repaired(
      {},
      {
        ...{ type: 'withdrawn', bidderId: toUserId(2), isUnblocked: true, leader: null, bidCount: 0 },
        ...{ reason: 'Slip.', editor: 'staff' },
      },
    ),
    repaired(
      { id: 3, auctionId: 2 },
      {
        type: 'withdrawn',
        bidderId: toUserId(most),
        isBlocked: true,
        leader: sampleEntry({ maximumMinor: 1e15 - 1 }).state.leader,
        bidCount: 1,
        reason: 'A fake.',
        editor: 'staff',
      },
    ),
  ])
}
