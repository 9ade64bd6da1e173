import type { IdSource } from '@auction/domain/ports/id-source'
import { type IdSourceSubject, idSourceContract } from '@auction/domain/testing/id-source-contract'
import { type Planted, pause, proveStrength } from './strength.ts'

/** Sources that claim blocks of ids from what they share. `claimed` is how many blocks are. */
function blocks(ofSize: number, claim: (shared: { claimed: number }) => Promise<number>): IdSourceSubject {
  const shared = { claimed: 0 }
  const source = (): IdSource<number> => {
    let block: { next: number; readonly end: number } | undefined
    let claiming: Promise<void> | undefined
    const refill = async () => {
      const first = (await claim(shared)) * ofSize + 1
      block = { next: first, end: first + ofSize }
      claiming = undefined
    }
    return {
      async next() {
        while (block === undefined || block.next === block.end) {
          claiming ??= refill()
          await claiming
        }
        return block.next++
      },
    }
  }
  return { ids: source(), again: async () => source() }
}

const inOneStep = async (shared: { claimed: number }) => shared.claimed++
const right = () => blocks(32, inOneStep)

/** One counter for all sources, of which each id is made into something else. */
function counted<Id>(idOf: (count: number) => Id): IdSourceSubject {
  let count = 0
  const ids = { next: async () => idOf(++count) as number } // Some of what these answer is no number, and that is the bug.
  return { ids, again: async () => ids }
}

const numbers = 'hands out integers from 1 to 2^53 - 1, none of them twice'
const atOnce = 'hands out no id twice when many are asked for at once'
const severalAtOnce = 'hands out no id twice from several sources at once'
const inTurn = 'hands out no id twice from several sources in turn'
const later = 'hands out no id again from sources that are opened later'

const planted = (
  bug: string,
  subject: () => IdSourceSubject,
  ...caughtBy: readonly string[]
): Planted<IdSourceSubject> => ({
  bug,
  subject,
  caughtBy,
})

proveStrength(idSourceContract, right, [
  planted('hands out one id', () => counted(() => 1), numbers, atOnce, severalAtOnce, inTurn, later),
  planted('starts with 0', () => counted((count) => count - 1), numbers),
  planted('counts down', () => counted((count) => -count), numbers),
  planted('goes past 2^53 - 1', () => counted((count) => Number.MAX_SAFE_INTEGER - 2 + count * 2), numbers),
  planted('hands out texts', () => counted((count) => `${count}`), numbers),
  planted('hands out fractions', () => counted((count) => count + 0.5), numbers),
  planted('begins again after 256', () => counted((count) => (count % 256) + 1), numbers, atOnce),
  planted('draws ids from a small pot', () => counted((count) => ((count * 7_919) % 251) + 1), numbers),
  planted(
    'reads its counter and writes it later',
    () => {
      const shared = { count: 0 }
      const ids = {
        next: async () => {
          const id = shared.count + 1
          await pause()
          shared.count = id
          return id
        },
      }
      return { ids, again: async () => ids }
    },
    atOnce,
    severalAtOnce,
  ),
  planted(
    'reads which block is free and claims it later',
    () =>
      blocks(32, async (shared) => {
        const block = shared.claimed
        await pause()
        shared.claimed = block + 1
        return block
      }),
    severalAtOnce,
  ),
  planted(
    'counts in each source on its own',
    () => {
      const source = () => counted((count) => count).ids
      return { ids: source(), again: async () => source() }
    },
    severalAtOnce,
    inTurn,
    later,
  ),
  planted(
    'begins each source where the first one stood when it was opened',
    () => {
      let highest = 0
      const source = (): IdSource<number> => {
        let last = highest
        return {
          next: async () => {
            last += 1
            highest = Math.max(highest, last)
            return last
          },
        }
      }
      return { ids: source(), again: async () => source() }
    },
    inTurn,
    severalAtOnce,
    later,
  ),
])
