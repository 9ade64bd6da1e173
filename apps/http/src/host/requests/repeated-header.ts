/**
 * Whether a request has a header more than once. Node keeps only the first value of some headers, but a proxy may have used
 * another one.
 * @param name in lower case
 */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]
    if (header?.length === name.length && header.toLowerCase() === name) times++
  }
  return times > 1
}
