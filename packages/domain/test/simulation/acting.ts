import { insist } from './clients.ts'
import type { World } from './world.ts'

export type Act = (world: World, client: number, name: string) => Promise<unknown>
type Create = (world: World, client: number, name: string) => Parameters<typeof insist>[1]

/** A client that acts some times, with pauses. The first clients create auctions before. */
export const acting =
  (act: Act, createOne: Create) =>
  async (world: World, client: number): Promise<void> => {
    const { chance, time } = world
    const actions = chance.int(3, 12)
    const mostIdleMs = chance.pick([30, 100, 400])
    if (client <= 3) await Promise.all(['a', 'b'].map((name) => insist(world, createOne(world, client, name))))
    for (let action = 1; action <= actions; action++) {
      await time.sleep(chance.int(0, mostIdleMs))
      await act(world, client, `${client}-${action}`)
    }
  }
