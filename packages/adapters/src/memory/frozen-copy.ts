/**
 * A deeply frozen copy of plain data, so that stored data never changes with the objects that callers pass in or receive.
 */
export function frozenCopy<Data extends object>(data: Data): Data {
  const copy: Data = { ...data }
  for (const name in data) {
    const part = data[name]
    if (typeof part === 'object' && part !== null) copy[name] = frozenCopy(part)
  }
  return Object.freeze(copy)
}
