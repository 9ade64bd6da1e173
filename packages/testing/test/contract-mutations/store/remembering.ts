/** Caches the first result of an operation, if it should be cached. */
export function remembering<Args extends readonly unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
  isWorthIt: (value: Value) => boolean = () => true,
) {
  const known = new Map<string, Value>()
  return async (...args: Args): Promise<Value> => {
    const asked = JSON.stringify(args)
    const before = known.get(asked)
    if (known.has(asked)) return before as Value // The value exists, and may be undefined.
    const value = await call(...args)
    if (isWorthIt(value)) known.set(asked, value)
    return value
  }
}

/** Whether nothing was found. */
export const isMiss = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && 'items' in value && isMiss(value.items))
export const isHit = (value: unknown): boolean => !isMiss(value)
