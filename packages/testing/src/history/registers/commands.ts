import type { RegisterEntry } from '@auction/domain/store'
import { type History, show } from '../../history.ts'
import { attemptsTo, clientKey } from '../attempts.ts'
import { type Commands, responseWith, tryOf } from '../commands.ts'
import { askedForChange, changesIn, linesOf, type RegisterTimelines } from './timelines.ts'

export const registerCreations = (history: History): Commands => ({
  kind: 'register',
  isShared: false,
  tries: attemptsTo(history, 'create-register').map((attempt) => {
    const response = responseWith(attempt.response, ({ register }) => ({ id: register.id, as: show(register) }))
    return tryOf(attempt, show(attempt.register), response)
  }),
  made: linesOf(history).map(({ requestKey, event: { id, createdAtMs, fields, editor } }) => ({
    ...{ id, key: clientKey(requestKey), atMs: createdAtMs },
    asksFor: show({ ...fields, editor }),
    as: show({ ...fields, id, createdAtMs }),
  })),
})

/** Responses do not name the entry. A change of bidders who were listed so has none: the timelines explain it. */
export function biddersChanges(history: History, registers: RegisterTimelines): Commands {
  const stored = changesIn(history)
  const withResponse = new Set<RegisterEntry>()
  return {
    kind: 'change of bidders',
    isShared: false,
    tries: attemptsTo(history, 'set-bidders')
      .toSorted((a, b) => a.respondedAtMs - b.respondedAtMs)
      .flatMap((attempt) => {
        const { key, change, response, sentAtMs, respondedAtMs } = attempt
        const asksFor = askedForChange(change, registers.get(change.registerId))
        if (response.outcome !== 'accepted') return tryOf(attempt, asksFor, response)
        const made = stored.find(({ entry, ...each }) => {
          if (each.key !== key || each.asksFor !== asksFor) return false
          if (entry.atMs > respondedAtMs + history.clockErrorMs) return false
          return key !== undefined || (entry.atMs >= sentAtMs - history.clockErrorMs && !withResponse.has(entry))
        })
        if (made === undefined) return []
        withResponse.add(made.entry)
        return tryOf(attempt, asksFor, { outcome: 'accepted', id: made.entry.id, as: show(made.bidders) })
      }),
    made: stored.map(({ entry: { id, atMs }, key, asksFor, bidders }) => ({
      ...{ id, atMs, key, asksFor, as: show(bidders) },
    })),
  }
}
