import type { Chance } from './chance.ts'
import { type Faults, noFaults } from './link.ts'
import type { ReplicatedStore } from './replicated-store.ts'
import type { World } from './world.ts'

export function drawnFaults(chance: Chance): Faults {
  if (chance.percent(10)) return noFaults
  const likely = (most: number) => (chance.percent(40) ? 0 : chance.int(1, most))
  return {
    lostRequest: likely(12),
    lostReply: likely(12),
    late: likely(12),
    duplicated: likely(12),
    repeated: likely(15),
    halfApplied: likely(12),
    hanging: likely(4),
  }
}

/** Crashes, pauses, cut or stalled links, lost primaries, and clock jumps, at random times. */
export async function makeTrouble(world: World, store: ReplicatedStore): Promise<void> {
  const { chance, time, processes } = world
  const rounds = chance.int(0, 8)
  for (let round = 0; round < rounds; round++) {
    await time.sleep(chance.int(10, 400))
    const process = chance.pick(processes)
    if (chance.percent(25)) process.crash()
    if (chance.percent(20)) store.failOver()
    if (chance.percent(50)) process.setClock(drawnClockError(world))
    if (chance.percent(25)) {
      process.pause()
      await time.sleep(chance.int(10, chance.pick([100, 500, 3_000])))
      process.resume()
    }
    if (chance.percent(25)) {
      process.link.isCut = true
      await time.sleep(chance.int(10, 300))
      process.link.isCut = false
    }
    if (chance.percent(20)) {
      process.link.isStuck = true
      await time.sleep(chance.int(10, chance.pick([300, 3_000])))
      process.link.isStuck = false
    }
  }
}

/** Two clocks differ by at most the limit. */
export const drawnClockError = ({ chance, limits }: Pick<World, 'chance' | 'limits'>): number => {
  const most = Math.floor(limits.clockSkewMs / 2)
  return chance.pick([0, -most, most, chance.int(-most, most)])
}
