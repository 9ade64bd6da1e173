import type { IncomingMessage } from 'node:http'

/** How often a request has a header, of which Node's `headers` keeps the first. `headersDistinct` would copy all headers. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  // Names are at even places, values at odd ones.
  return rawHeaders.filter(
    (text, place) => place % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
  ).length
}
