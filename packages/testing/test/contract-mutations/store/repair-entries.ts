import type { StoreMutation } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'
import { changingEvent, changingState, without } from './entry-events.ts'

const moved = 'keeps extensions and early ends, in the event and in the state of later entries'
const lowered = 'keeps a lower reserve, and the bid at it'
const withdrawn = 'keeps withdrawals, with and without a leader after them'

export const repairEntryMutations: readonly StoreMutation[] = [
  changingEvent('forgets the reason of an extension', moved, 'extended', (event) => without(event, 'reason')),
  changingEvent('forgets the end before an early end', moved, 'ended-early', (event) =>
    without(event, 'previousEndMs'),
  ),
  changingEvent('forgets that a result was early', moved, 'closed', ({ result, ...event }) => ({
    ...event,
    result: without(result, 'isEndedEarly'),
  })),
  changingEvent('forgets the bid at a lower reserve', lowered, 'reserve-lowered', (event) =>
    without(event, 'automatic'),
  ),
  changingEvent('stores a reserve of nothing as none', lowered, 'reserve-lowered', (event) =>
    event.reservePriceMinor === 0 ? without(event, 'reservePriceMinor') : event,
  ),
  changingEvent('forgets that a bidder is blocked', withdrawn, 'withdrawn', (event) => without(event, 'isBlocked')),
  changingEvent('keeps withdrawn bidders to 15 digits', withdrawn, 'withdrawn', (event) => ({
    ...event,
    bidderId: to15Digits(event.bidderId),
  })),
  changingEvent('forgets the leader after a withdrawal', withdrawn, 'withdrawn', (event) => ({
    ...event,
    leader: null,
  })),
  changingState('forgets repairs after a bid', [moved, lowered, withdrawn], (state) => without(state, 'repairs')),
  changingState('keeps no shift to an earlier end', moved, ({ repairs, ...state }) =>
    repairs?.latestEndShiftMs !== undefined && repairs.latestEndShiftMs < 0
      ? { ...state, repairs: without(repairs, 'latestEndShiftMs') }
      : { ...state, ...(repairs && { repairs }) },
  ),
]
