import type { AuctionService } from '@auction/domain'
import { isStoreUnavailable } from '@auction/domain/errors'
import { type AuctionId, type RegisterId, toUserId, type UserId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import type { Attempt, Violation } from '../history.ts'
import { sampleBidders, sampleNewAuction, sampleNewRegister } from '../samples.ts'
import { bidding, createSettle, newKnowledge, pauseMs, type Request, responseOf } from './clients.ts'
import { wait } from './timers.ts'

/** Bidders on an auction with a register, whom staff refuse and admit by turns through all services. */
export type Refusals = {
  /** Stops; resolves when the last requests have ended. @throws an error that is not of the store */
  stop(): Promise<void>
  /** The bids that the answers of staff contradict. */
  violations(): readonly Violation[]
}

/** A status that staff have set. */
type Setting = {
  readonly bidderId: UserId
  readonly status: 'admitted' | 'refused'
  /** When it was sent first. */
  sentAtMs: number
  /** When it was returned as set. Undefined if that is unknown. */
  respondedAtMs?: number
}

const bidders = 3
const editor = 'staff'
const lifeMs = 3_600_000
/** How long a status stays at least, so that bids are placed in it. */
const betweenMs = 10 * pauseMs

type Opened = { readonly registerId: RegisterId; readonly auctionId: AuctionId }

export function startRefusals(services: readonly AuctionService[]): Refusals {
  const known = newKnowledge(services)
  const settings: Setting[] = []
  let isStopping = false
  const settle = createSettle(services, 'registered', () => isStopping)

  async function work(): Promise<void> {
    const opened = await openOne(services, () => isStopping)
    if (opened === undefined) return
    const { registerId, auctionId } = opened
    const clients = Array.from({ length: bidders }, async (_, index) => {
      for (let number = 0; !isStopping; number++)
        await settle(index + 1, bidding(known, index + 1, auctionId, number % 3, number % 5 === 0 ? 3 : undefined))
    })
    const staff = async () => {
      for (let turn = 0; !isStopping; turn++) {
        const bidderId = toUserId(101 + (Math.floor(turn / 2) % bidders))
        const setting: Setting = { bidderId, status: turn % 2 === 0 ? 'refused' : 'admitted', sentAtMs: 0 }
        await settle(turn, setBidder(registerId, setting, settings))
        await wait(betweenMs)
      }
    }
    await Promise.all([...clients, staff()])
  }

  const working = work()
  working.catch(() => undefined) // `stop` throws it.
  return {
    async stop() {
      isStopping = true
      await working
    },
    violations: () => checkRefusals(settings, known.attempts),
  }
}

/** A register that admits everyone, and an auction that has it. Undefined if the race stops before. */
async function openOne(services: readonly AuctionService[], isStopping: () => boolean): Promise<Opened | undefined> {
  const [service] = services
  while (service !== undefined && !isStopping()) {
    const opened = await open(service).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error
    })
    if (opened !== undefined) return opened
    await wait(pauseMs)
  }
  return undefined
}

async function open(service: AuctionService): Promise<Opened | undefined> {
  const register = await service.createRegister({ register: sampleNewRegister({ admits: 'everyone' }), editor })
  if (!register.ok) return undefined
  const registerId = register.value.id
  const nowMs = Date.now()
  const times = { startTime: isoOf(nowMs - 1_000), endTime: isoOf(nowMs + lifeMs) }
  const auction = await service.createAuction(sampleNewAuction({ registerId, minimumBidIncrement: 1, ...times }))
  return auction.ok ? { registerId, auctionId: auction.value.id } : undefined
}

const setBidder =
  (registerId: RegisterId, setting: Setting, settings: Setting[]): Request =>
  async (service, retry) => {
    if (setting.sentAtMs === 0) {
      setting.sentAtMs = Date.now()
      settings.push(setting)
    }
    const { bidderId, status } = setting
    const change = service.setBidders({ registerId, bidders: sampleBidders({ bidderId, status }), editor }, retry)
    const response = await responseOf(change, () => ({}), 'accepted')
    if (response.outcome === 'accepted') setting.respondedAtMs = Date.now()
    return response
  }

type Tried = { bidderId: UserId; sentAtMs: number; respondedAtMs: number; outcome: string }

/**
 * Finds bids that were accepted although their first try was sent after a refusal had been returned, and bids that were
 * refused although the bidder was admitted all the time. No other setting was sent until their response.
 */
function checkRefusals(settings: readonly Setting[], attempts: readonly Attempt[]): readonly Violation[] {
  return triesOf(attempts).flatMap(({ bidderId, sentAtMs, respondedAtMs, outcome }) => {
    const own = settings.filter((setting) => setting.bidderId === bidderId)
    const last = own.findLastIndex((setting) => (setting.respondedAtMs ?? sentAtMs) < sentAtMs)
    const next = own[last + 1]
    const isRefused = own[last]?.status === 'refused'
    if (next !== undefined && next.sentAtMs <= respondedAtMs) return []
    if (outcome !== (isRefused ? 'accepted' : 'not-admitted')) return []
    const status = isRefused ? 'refused' : 'admitted'
    return { invariant: 4, message: `a bid of user ${bidderId}, who was ${status}, is ${outcome}, sent at ${sentAtMs}` }
  })
}

/** The bids, each with its first time and its last response. */
function triesOf(attempts: readonly Attempt[]): readonly Tried[] {
  const tries = new Map<string, Tried>()
  for (const attempt of attempts) {
    if (attempt.type !== 'place-bid') continue
    const { key = '', bid, sentAtMs, respondedAtMs, response } = attempt
    const outcome = response.outcome === 'refused' ? response.code : response.outcome
    tries.set(key, { bidderId: bid.bidderId, respondedAtMs, outcome, sentAtMs: tries.get(key)?.sentAtMs ?? sentAtMs })
  }
  return [...tries.values()]
}
