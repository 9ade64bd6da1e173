import type { Overloaded } from '../ledger/pending-command.ts'
import { type Result, refused } from '../values/result.ts'

type Read<Values extends readonly unknown[], Value, Refusal> = (...values: Values) => Promise<Result<Value, Refusal>>

/** Limits the reads in flight: beyond `maxReads` they are refused as `overloaded`, since too many would wait for the store. */
export function createReadLimit(maxReads: number) {
  let inFlight = 0
  return <Values extends readonly unknown[], Value, Refusal>(
    read: Read<Values, Value, Refusal>,
  ): Read<Values, Value, Refusal | Overloaded> =>
    async (...values) => {
      if (inFlight >= maxReads) return refused({ code: 'overloaded' })
      inFlight += 1
      try {
        return await read(...values)
      } finally {
        inFlight -= 1
      }
    }
}
