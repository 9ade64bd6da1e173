export type Accepted<Value> = {
  readonly ok: true
  readonly value: Value
  /** Set if an earlier request with the same key made the value. */
  readonly isRepeated?: true
}

/** The result of a use case: a value, or a refusal with a stable `code`. */
export type Result<Value, Refusal> = Accepted<Value> | { readonly ok: false; readonly refusal: Refusal }

export const accepted = <Value>(value: Value): Accepted<Value> => ({ ok: true, value })

/** The value of an earlier request with the same key. */
export const repeated = <Value>(value: Value): Accepted<Value> => ({ ok: true, value, isRepeated: true })

export const refused = <Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal,
})

/** Returns the value of a result. Throws an error that shows the refusal. For tests and scripts. */
export function unwrap<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value
  throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
}
