import type { Planted } from '../planted-bugs/planted.ts'
import { type Outcome, simulate } from '../simulate.ts'
import { checkSales } from './check.ts'
import { actOnSales, readLast } from './clients.ts'
import type { SaleLog } from './requests.ts'

/** Simulates processes that serve sales. */
export async function simulateSales(
  seed: number,
  planted: Planted = {},
): Promise<Pick<Outcome, 'problems'> & { readonly log: SaleLog }> {
  const log: SaleLog = []
  const { problems } = await simulate(seed, planted, (world, client) => actOnSales(world, log, client), {
    last: (world) => readLast(world, log),
    check: async (store, { everything, closedAtMs }, storedAtMs) =>
      checkSales(store, await everything(), log, { storedAtMs, closedAtMs }),
  })
  return { problems, log }
}
