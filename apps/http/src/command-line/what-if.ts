import type { AuctionResult } from '@auction/domain/auction'
import { type Assumption, type Price, type PriceStep, recomputeAuction } from '@auction/domain/audit'
import { AuctionId, UserId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { type Currency, toDecimal } from '@auction/domain/money'
import { type CorrectionJson, parseCorrection } from '@auction/domain/parsing'
import { accepted, type Result, refused } from '@auction/domain/result'
import * as v from 'valibot'
import { readConfiguration } from '../configuration/read-configuration.ts'
import type { OpenStore } from '../process/load-store.ts'
import { fail, print } from '../process/terminal.ts'
import { secondsOf } from './durations.ts'
import { withStore } from './with-store.ts'

type Options = {
  readonly 'increment-steps'?: string | undefined
  readonly 'increment-percent'?: string | undefined
  readonly reserve?: string | undefined
  readonly 'soft-close'?: string | undefined
  readonly 'without-bidder'?: string | undefined
}

/** Decides the recorded requests of an auction again under other terms, and prints both price paths and results. */
export async function whatIf(text: string, options: Options): Promise<void> {
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults, ...reading.warnings)
  const auctionId = v.safeParse(AuctionId, numberIn(text))
  if (!auctionId.success) return fail('--what-if: must be the id of an auction')
  const assumption = assumptionOf(options)
  if (!assumption.ok) return fail(...assumption.refusal)
  const { store } = reading.configuration
  await withStore('--what-if', store, (opened) => printRecomputation(opened, auctionId.output, assumption.value))
}

/** The number in a text; NaN if it is written in another way. */
const numberIn = (text: string): number => (/^(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

/** The assumption of the options, or the errors in them. */
function assumptionOf(options: Options): Result<Assumption, readonly string[]> {
  const faults: string[] = []
  const json = termsIn(options, faults)
  const parsed = Object.keys(json).length === 0 ? undefined : parseCorrection(json)
  if (parsed?.ok === false) faults.push(...parsed.refusal.errors.map(errorLineOf))
  const bidder = options['without-bidder']
  const bidderId = bidder === undefined ? undefined : v.safeParse(UserId, numberIn(bidder))
  if (bidderId?.success === false) faults.push('--without-bidder: must be the id of a user')
  if (faults.length > 0) return refused(faults)
  return accepted({
    ...(parsed?.ok && { terms: parsed.value }),
    ...(bidderId?.success && { withoutBidderId: bidderId.output }),
  })
}

const errorLineOf = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string =>
  `--what-if: ${pointer.slice(1)} ${message}`

/** The JSON of the terms that differ. */
function termsIn(options: Options, faults: string[]): CorrectionJson {
  const { 'increment-steps': steps, 'increment-percent': percent, reserve, 'soft-close': softClose } = options
  return {
    ...(steps !== undefined && stepsIn(steps, faults)),
    ...(percent !== undefined && { incrementSteps: null, incrementPercent: numberIn(percent) }),
    ...(reserve !== undefined && { reservePrice: reserve === 'none' ? null : numberIn(reserve) }),
    ...(softClose !== undefined && { softClose: softClose === 'none' ? null : softCloseIn(softClose, faults) }),
  }
}

/** A step from 0 is the increment below the others. */
function stepsIn(text: string, faults: string[]): CorrectionJson {
  const steps = text.split(',').map((step) => {
    const [fromPrice = Number.NaN, increment = Number.NaN, ...more] = step.split(':').map(numberIn)
    return more.length === 0 ? { fromPrice, increment } : { fromPrice: Number.NaN, increment }
  })
  if (steps.some(({ fromPrice, increment }) => Number.isNaN(fromPrice + increment))) {
    faults.push('--increment-steps: must be prices with increments, such as 0:1,100:5,500:10')
    return {}
  }
  const [first] = steps
  const above = steps.filter(({ fromPrice }) => fromPrice > 0)
  return {
    ...(first?.fromPrice === 0 && { minimumBidIncrement: first.increment }),
    incrementSteps: above.length === 0 ? null : above,
    incrementPercent: null,
  }
}

function softCloseIn(text: string, faults: string[]) {
  const [window = '', extension = '', latestEndTime = '', ...more] = text.split(',')
  const [windowSeconds, extensionSeconds] = [secondsOf(window), secondsOf(extension)]
  if (windowSeconds !== undefined && extensionSeconds !== undefined && more.length === 0) {
    return { windowSeconds, extensionSeconds, latestEndTime }
  }
  faults.push('--soft-close: must be none, or window, extension and latest end, such as 5m,5m,2030-01-31T15:00:00Z')
  return null
}

async function printRecomputation(store: OpenStore, auctionId: AuctionId, assumption: Assumption): Promise<void> {
  let last: PriceStep | undefined
  const [auction] = await store.findAuctions({ ids: [auctionId] })
  if (auction === undefined) return fail(`Auction ${auctionId} does not exist.`)
  const { currency } = auction.auction
  const recomputation = await recomputeAuction(store, auctionId, assumption, (step) => {
    if (last === undefined) print(rowOf('entry', 'time', 'recorded', 'recomputed'))
    if (isShown(step, last)) print(rowOf(String(step.sequence), isoOf(step.atMs), ...pricesOf(step, currency)))
    last = step
  })
  if (!recomputation.ok) {
    const { refusal } = recomputation
    return fail(...('errors' in refusal ? refusal.errors.map(errorLineOf) : []))
  }
  const { recorded, recomputed } = recomputation.value
  print(`Recorded: ${resultText(recorded, last?.recorded, currency)}`)
  print(`Recomputed: ${resultText(recomputed, last?.recomputed, currency)}`)
}

const rowOf = (entry: string, time: string, recorded: string, recomputed: string): string =>
  `${entry.padStart(8)}  ${time.padEnd(24)}  ${recorded.padEnd(30)}  ${recomputed}`

/** Entries that change no price are left out. */
const isShown = (step: PriceStep, last: PriceStep | undefined): boolean =>
  step.without !== undefined || !isSame(step.recorded, last?.recorded) || !isSame(step.recomputed, last?.recomputed)

const isSame = (a: Price, b: Price | undefined): boolean => a.priceMinor === b?.priceMinor && a.leaderId === b.leaderId

const pricesOf = ({ recorded, recomputed, without }: PriceStep, currency: Currency) =>
  [
    priceText(recorded, currency),
    `${priceText(recomputed, currency)}${without === undefined ? '' : ` (${withoutText(without)})`}`,
  ] as const

const withoutText = (without: NonNullable<PriceStep['without']>): string =>
  without === 'left-out' ? 'left out' : `refused: ${without}`

const priceText = ({ priceMinor, leaderId }: Price, currency: Currency): string =>
  `${amountText(priceMinor, currency)}, ${leaderId === undefined ? 'no bids' : `led by user ${leaderId}`}`

const amountText = (amountMinor: Price['priceMinor'], currency: Currency): string =>
  `${toDecimal(amountMinor, currency)} ${currency.code}`

function resultText(result: AuctionResult | undefined, last: Price | undefined, currency: Currency): string {
  if (result === undefined) return last === undefined ? 'no entries' : `no result; ${priceText(last, currency)}`
  switch (result.outcome) {
    case 'sold':
      return `sold to user ${result.winnerId} for ${amountText(result.priceMinor, currency)}`
    case 'bought':
      return `bought by user ${result.buyerId} for ${amountText(result.priceMinor, currency)}`
    case 'unsold':
      return `unsold: ${result.reason}`
    case 'cancelled':
      return 'cancelled'
    default:
      return result satisfies never
  }
}
