import type { Overloaded } from '../ledger/pending-command.ts'
import { type Result, refused } from '../result.ts'

type Read<Values extends readonly unknown[], Value, Refusal> = (...values: Values) => Promise<Result<Value, Refusal>>

/** Bounds how many reads are under way: past `maxReads` they are refused as `overloaded`, as too many would wait for the store. */
export function createReadLimit(maxReads: number) {
  let underWay = 0
  return <Values extends readonly unknown[], Value, Refusal>(
    read: Read<Values, Value, Refusal>,
  ): Read<Values, Value, Refusal | Overloaded> =>
    async (...values) => {
      if (underWay >= maxReads) return refused({ code: 'overloaded' })
      underWay += 1
      try {
        return await read(...values)
      } finally {
        underWay -= 1
      }
    }
}
