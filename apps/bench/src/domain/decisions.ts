import { decide } from '@auction/domain/auction/decide'
import { evolve } from '@auction/domain/auction/evolve'
import type { AuctionState } from '@auction/domain/auction/state'
import type { Sample } from '../measure/sample.ts'
import { type Case, caseId } from './cases.ts'

// Passes over all cases between two looks at the clock.
const passesAtOnce = 10

/** Decides on the cases in turn. */
export function measureDecisions(cases: readonly Case[], seconds: number): Sample {
  decideFor(cases, seconds / 4)
  return sampleOf(cases, decideFor(cases, seconds))
}

/** The same, and what is accepted leads to a state. */
export function measureDecisionsAndStates(cases: readonly Case[], seconds: number): Sample {
  decideAndEvolveFor(cases, seconds / 4)
  return sampleOf(cases, decideAndEvolveFor(cases, seconds))
}

type Took = { readonly passes: number; readonly seconds: number }

function sampleOf(cases: readonly Case[], { passes, seconds }: Took): Sample {
  const accepted = cases.filter(({ isAccepted }) => isAccepted).length
  const perSecond = (count: number) => (passes * count) / seconds
  return { acceptedPerSecond: perSecond(accepted), refusedPerSecond: perSecond(cases.length - accepted) }
}

type Decision = ReturnType<typeof decideCase>
const decideCase = ({ terms, state, command }: Case, nowMs: number) => decide(terms, state, command, nowMs)

/**
 * Every decision is kept until all of its pass are made, and goes into a checksum, which must come out right: so the engine can
 * leave out neither a decision nor what it makes.
 */
function decideFor(cases: readonly Case[], seconds: number): Took {
  const decisions: Decision[] = Array.from(cases, (each) => decideCase(each, Date.now()))
  return passesFor(seconds, checksumOf(cases), (nowMs) => {
    for (const [index, each] of cases.entries()) decisions[index] = decideCase(each, nowMs)
    let checksum = 0
    for (const decision of decisions) checksum += amountMinorOf(decision)
    return checksum
  })
}

function amountMinorOf(decision: Decision): number {
  if (decision.ok) return decision.value.automatic?.amountMinor ?? decision.value.amountMinor
  return decision.refusal.code === 'bid-too-low' ? (decision.refusal.minimumNextBidMinor ?? 0) : 0
}

type Outcome = AuctionState | Extract<Decision, { readonly ok: false }>

function decideAndEvolveCase(its: Case, nowMs: number): Outcome {
  const decision = decideCase(its, nowMs)
  return decision.ok ? evolve(its.state, { id: caseId, atMs: nowMs, event: decision.value }) : decision
}

/** As `decideFor` does, in a loop of its own, so that the engine compiles each for what it does. */
function decideAndEvolveFor(cases: readonly Case[], seconds: number): Took {
  const outcomes: Outcome[] = Array.from(cases, (each) => decideAndEvolveCase(each, Date.now()))
  return passesFor(seconds, checksumOf(cases), (nowMs) => {
    for (const [index, each] of cases.entries()) outcomes[index] = decideAndEvolveCase(each, nowMs)
    let checksum = 0
    for (const outcome of outcomes) checksum += 'ok' in outcome ? amountMinorOf(outcome) : ledAtMinor(outcome)
    return checksum
  })
}

const ledAtMinor = ({ leader }: AuctionState): number => leader?.amountMinor ?? 0

const checksumOf = (cases: readonly Case[]): number => cases.reduce((sum, { expectedMinor }) => sum + expectedMinor, 0)

/** @throws Error when a pass returns another checksum */
function passesFor(seconds: number, expected: number, pass: (nowMs: number) => number): Took {
  const beganMs = performance.now()
  let passes = 0
  let checksum = 0
  let tookMs = 0
  while (tookMs < seconds * 1000) {
    const nowMs = Date.now()
    for (let count = 0; count < passesAtOnce; count++) checksum += pass(nowMs)
    passes += passesAtOnce
    tookMs = performance.now() - beganMs
  }
  if (checksum !== passes * expected) throw new Error('decisions were made wrongly, or left out')
  return { passes, seconds: tookMs / 1000 }
}
