import type { History, Violation } from '../history.ts'
import { type SourcesOfEntries, sourceOf, type Timelines } from './timeline.ts'

/**
 * No entry has a time after the arrival of its request, other than that of the entry before it (3): commands are
 * decided for their arrival, and not for the moment at which a server or a store has time for them.
 */
export function checkArrivals(
  { clockErrorMs }: History,
  timelines: Timelines,
  sources: SourcesOfEntries,
): readonly Violation[] {
  return [...timelines.values()].flatMap(({ states }) =>
    states.flatMap(({ head }, index): Violation[] => {
      const source = head && sourceOf(head, sources)
      if (source === undefined || head === undefined) return []
      const before = states[index - 1]?.head
      const latestMs = Math.max(source.arrivedByMs + clockErrorMs, before?.atMs ?? Number.NEGATIVE_INFINITY)
      if (head.atMs <= latestMs) return []
      const message = `entry ${head.id} has the time ${head.atMs}, after the arrival of its request at ${source.arrivedByMs}`
      return [{ invariant: 3, message }]
    }),
  )
}
