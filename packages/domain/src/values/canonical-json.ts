/** The JSON of data, with the members of each object sorted by name: equal for equal data. */
export const canonicalJson = (data: object): string => JSON.stringify(data, withSortedMembers)

const withSortedMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
