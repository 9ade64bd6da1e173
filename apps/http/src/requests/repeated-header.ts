/**
 * Whether a request has a header more than once. Of some, Node keeps the first and tells nothing of the others; which of them a proxy
 * on the way has looked at, nobody knows.
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
