import { isoOf } from '@auction/domain/moment'
import { agendaStages, type Store } from '@auction/domain/store'
import type { AuctionSample } from '../samples.ts'
import { idsOf, insertAll, listed } from './helpers.ts'

export const baseMs = Date.parse('2030-02-10T12:00:00Z')

/** An auction that ends this many milliseconds after `baseMs`. */
export const sampleAt = (id: number, afterMs: number): AuctionSample => ({
  id,
  startTime: '0001-01-01T00:00:00Z',
  endTime: isoOf(baseMs + afterMs),
})

/** A position on the agenda, of an auction that is due this many milliseconds after `baseMs`. */
export const at = (id: number, afterMs: number) => [id, baseMs + afterMs] as const

/** Inserts an auction for each end, in milliseconds after `baseMs`, with the ids 1, 2, 3 … */
export const insertEnding = (store: Store, afterMs: readonly number[]) => {
  const samples = afterMs.map((ms, index) => sampleAt(index + 1, ms))
  return insertAll(store, samples)
}

export const openIds = async (store: Store) =>
  idsOf(await listed(store, { stages: agendaStages })).toSorted((a, b) => a - b)
