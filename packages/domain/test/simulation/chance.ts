import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** All random choices of a simulation, from one seed. */
export type Chance = {
  /** An integer from `least` to `most`. */
  int(least: number, most: number): number
  /** True in the given percentage of cases. */
  percent(likely: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
}

export function createChance(seed: number): Chance {
  const generator = xoroshiro128plus(seed)
  const int = (least: number, most: number) => uniformInt(generator, least, most)
  return {
    int,
    percent: (likely) => int(1, 100) <= likely,
    pick: (values) => values[int(0, values.length - 1)] ?? values[0],
  }
}
