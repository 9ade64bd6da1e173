import { isIP } from 'node:net'
import type { FastifyServerOptions } from 'fastify'

/** The proxies whose word on a client's address is taken: addresses and ranges, or how many stand one behind the other. */
export type TrustedProxies =
  | { readonly kind: 'addresses'; readonly ranges: readonly string[] }
  | { readonly kind: 'hops'; readonly hops: number }

export type TrustedProxiesReading =
  | { readonly ok: true; readonly value: TrustedProxies }
  | { readonly ok: false; readonly fault: string }

export const hopsRule =
  'must be addresses or ranges of proxies with commas between them, as in 10.0.0.0/8,::1, or the number of proxies, from 1 to 20'

/** Reads TRUST_PROXY. What would believe anybody is refused: a client could choose the address that it is counted under. */
export function parseTrustedProxies(text: string): TrustedProxiesReading {
  const written = text.trim()
  if (/^(?:true|yes|on|all|\*)$/i.test(written)) {
    return fault(`${hopsRule}; if all were believed, each client could choose the address that it is counted under`)
  }
  if (/^\d+$/.test(written)) {
    const hops = Number(written)
    return hops >= 1 && hops <= 20 ? { ok: true, value: { kind: 'hops', hops } } : fault(hopsRule)
  }
  const ranges = written.split(',').map((range) => range.trim())
  const everything = ranges.find((range) => range.endsWith('/0'))
  if (everything !== undefined) {
    return fault(
      `must not trust every address, as /0 does; each client could choose the address that it is counted under`,
    )
  }
  return ranges.every(isRange) ? { ok: true, value: { kind: 'addresses', ranges } } : fault(hopsRule)
}

const fault = (message: string) => ({ ok: false, fault: message }) as const

function isRange(range: string): boolean {
  const [address = '', prefix, ...more] = range.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

/** As Fastify takes it, which trusts no number of hops by itself: whoever sets it vouches that no client comes past its proxies. */
export function trustProxyOption(proxies: TrustedProxies | undefined): NonNullable<FastifyServerOptions['trustProxy']> {
  switch (proxies?.kind) {
    case undefined:
      return false
    case 'addresses':
      return [...proxies.ranges]
    case 'hops':
      return (_address, hop) => hop < proxies.hops
    default:
      return proxies satisfies never
  }
}
