import type { Auction } from '../auction/auction.ts'
import type { AuctionResult } from '../auction/life-events.ts'

/** How an auction ended. */
export type EndStage = AuctionResult['outcome']

/** How far an auction is: `pending` and `open` on the agenda, until and from its start, and then how it ended. */
export type Stage = 'pending' | 'open' | EndStage

/** Of auctions on the agenda. */
export const agendaStages: readonly Stage[] = ['pending', 'open']
const endStages: readonly EndStage[] = ['sold', 'unsold', 'bought', 'cancelled']

export const stages: readonly Stage[] = [...agendaStages, ...endStages]

/** The number of a stage, for stores that keep numbers. */
export const numberOfStage = (stage: Stage): number => stages.indexOf(stage)

/** The stages in each order of a list. */
const stagesByOrder = { newest: stages, agenda: agendaStages, ended: endStages }

type QueryOfStages = { readonly order: keyof typeof stagesByOrder; readonly stages?: readonly Stage[] | undefined }

/** The stages of the auctions that a query lists. */
export const stagesOf = ({ order, stages: wanted }: QueryOfStages): readonly Stage[] =>
  stagesByOrder[order].filter((stage) => wanted?.includes(stage) ?? true)

/** The stage of an auction with its time: when a pending one starts, an open one is due, or an ended one ended. */
export type StageTime = { readonly stage: Stage; readonly timeMs: number }

/** The stage of a new auction. Without a start after its creation, it is open. */
export const firstStage = ({ createdAtMs, startTime, endTime }: Auction): StageTime =>
  createdAtMs < startTime.epochMs
    ? { stage: 'pending', timeMs: startTime.epochMs }
    : { stage: 'open', timeMs: endTime.epochMs }
