/**
 * A copy of plain data, down to the last level, that nobody can change: what is stored never changes, whatever becomes of the
 * objects that were passed in and of those that were returned.
 */
export function frozenCopy<Data extends object>(data: Data): Data {
  const copy: Data = { ...data }
  for (const name in data) {
    const part = data[name]
    if (typeof part === 'object' && part !== null) copy[name] = frozenCopy(part)
  }
  return Object.freeze(copy)
}
