import type { Terms } from '../auction/auction.ts'
import type { AuctionGuard, AuctionLanes, RecordedCommand } from '../auction/auction-ledger.ts'
import type { BuyNowCommand, PlaceBidCommand } from '../auction/offers.ts'
import type { Clock } from '../clock.ts'
import { createCallsInFlight } from '../in-flight.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { Limits } from '../limits.ts'
import { admissionOf, type BidderLists, type Claims } from '../register/bidder-list.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { AuctionId, RegisterId, UserId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { refused } from '../values/result.ts'
import { withinDeadline } from './within-deadline.ts'

type SubmitForBidderParts = {
  readonly lanes: Pick<AuctionLanes, 'submit' | 'termsOf'>
  readonly lists: Pick<BidderLists, 'current'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly limits: Pick<Limits, 'maxWaiting'>
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

type BidderCommand = PlaceBidCommand | BuyNowCommand

/** A bid or a purchase of a user. */
type Submission<Command extends BidderCommand> = {
  readonly auctionId: AuctionId
  readonly userId: UserId
  readonly command: Command
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number | undefined
  /** What the token of the user says of them. */
  readonly claims: Claims | undefined
}

/** Passes a bid or a purchase to the lane of its auction, with what the register of the auction says of the user. */
export type SubmitForBidder = <Command extends BidderCommand>(
  submission: Submission<Command>,
) => RecordedCommand<Command['type']>

/** The terms of the auction were not known, and have a register. */
class RegisteredError extends Error {
  readonly terms: Terms

  constructor(terms: Terms) {
    super('the register of the auction has to be read first')
    this.terms = terms
  }
}

/** Decides the command in the lane, which reads the terms, unless there is a register. */
const unlessRegistered = <Command extends BidderCommand>(): AuctionGuard<Command> => ({
  decide({ terms }, byRules) {
    if (terms.registerId !== undefined) throw new RegisteredError(terms)
    return byRules()
  },
})

/**
 * Once a service has returned that it refuses a bidder, no service accepts a later bid: the register is read after the
 * request has arrived, however fresh the list in memory is. Commands of the time share one read, and keep their order.
 * An auction without a register costs no read.
 */
export function createSubmitForBidder({ lanes, lists, clock, limits, limit }: SubmitForBidderParts): SubmitForBidder {
  const reading = createCallsInFlight()

  function submitAdmitted<Command extends BidderCommand>(
    { auctionId, userId, command, key, claims }: Submission<Command>,
    { registerId, showPaddles }: Terms & { readonly registerId: RegisterId },
    arrivedAtMs: number,
  ): RecordedCommand<Command['type']> {
    return withinDeadline(limit, async ({ submitting }) => {
      const list = await lists.current(registerId)
      // Without its register, the auction is not open to everyone.
      if (list?.register === undefined) throw new StoreUnavailableError(`register ${registerId} was not found`)
      const found = admissionOf(list.register, list.find(userId), list.sequence, claims?.get(registerId))
      const { paddle: _, ...hidden } = found
      submitting()
      return lanes.submit(auctionId, { ...command, admission: showPaddles ? found : hidden }, key, arrivedAtMs)
    })
  }

  async function submitRegistered<Command extends BidderCommand>(
    submission: Submission<Command>,
    terms: Terms & { readonly registerId: RegisterId },
    arrivedAtMs: number,
  ): RecordedCommand<Command['type']> {
    if (reading.count() >= limits.maxWaiting) return refused({ code: 'overloaded' })
    return reading.during(submitAdmitted(submission, terms, arrivedAtMs))
  }

  async function submitUnknown<Command extends BidderCommand>(
    submission: Submission<Command>,
  ): RecordedCommand<Command['type']> {
    const { auctionId, command, key } = submission
    const arrivedAtMs = arrivalOf(submission.arrivedAtMs, clock)
    const time = startTime(limit)
    try {
      return await lanes.submit<Command>(auctionId, command, key, arrivedAtMs, unlessRegistered())
    } catch (error) {
      if (!(error instanceof RegisteredError) || !hasRegister(error.terms)) throw error
      return await Promise.race([time.late, submitRegistered(submission, error.terms, arrivedAtMs)])
    } finally {
      time.end()
    }
  }

  return (submission) => {
    const terms = lanes.termsOf(submission.auctionId)
    if (terms === undefined) return submitUnknown(submission)
    const { auctionId, command, key, arrivedAtMs } = submission
    if (hasRegister(terms)) return submitRegistered(submission, terms, arrivalOf(arrivedAtMs, clock))
    return lanes.submit(auctionId, command, key, arrivedAtMs)
  }
}

/** Starts a limit for two steps, each of which has its own: `late` rejects when they have taken too long together. */
function startTime(limit: TimeLimit) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  // The first step ends by itself.
  late.catch(() => undefined)
  const onLate = () => reject(new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`))
  const waiter = { index: undefined, onLate }
  limit.start(waiter)
  return { late, end: () => limit.end(waiter) }
}

const hasRegister = (terms: Terms): terms is Terms & { readonly registerId: RegisterId } =>
  terms.registerId !== undefined
