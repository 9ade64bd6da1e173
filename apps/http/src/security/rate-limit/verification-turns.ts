import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** Waits for the next turn of an address, which is true; false where too many wait already. */
export type NextTurn = (address: string) => Promise<true> | false

const betweenMs = 10
const longestWaitMs = 2_000
// An address that is forgotten begins anew.
const mostAddresses = 10_000

/**
 * Makes a flood of bad tokens cheap, and leaves way for a good one in it: whether a token that was never seen is valid shows only
 * when it is verified. So each address gets a turn every 10 ms, in the order of arrival, and who would wait longer than 2 s
 * gets none.
 */
export function createVerificationTurns(): NextTurn {
  let nextFreeMs: LRUCache<string, number> | undefined

  return (address) => {
    // Made at the first need: it takes room for all addresses at once, which each start would pay for.
    nextFreeMs ??= new LRUCache({ max: mostAddresses })
    const nowMs = performance.now()
    const turnMs = Math.max(nowMs, nextFreeMs.get(address) ?? 0)
    if (turnMs - nowMs > longestWaitMs) return false
    nextFreeMs.set(address, turnMs + betweenMs)
    return setTimeout(turnMs - nowMs, true)
  }
}
