/** The result of a use case: a value, or a refusal with a stable `code`. */
export type Result<Value, Refusal> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal }

export const accepted = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value })

export const refused = <Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal,
})

/** Returns the value of a result. Throws an error that shows the refusal. For tests and scripts. */
export function unwrap<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value
  throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
}
