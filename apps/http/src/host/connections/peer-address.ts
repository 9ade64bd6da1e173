import { BlockList, isIPv6, type Socket } from 'node:net'
import type { TrustedProxies } from '../../configuration/trusted-proxies.ts'
import { countedAddress } from '../security/rate-limit/client-address.ts'

/** The address that a connection counts for; undefined for a trusted proxy, because many clients share its connections. */
export type PeerAddress = (socket: Pick<Socket, 'remoteAddress'>) => string | undefined

export function createPeerAddress(proxies: TrustedProxies | undefined): PeerAddress {
  // If the setting is a number of hops, only proxies can reach the service.
  if (typeof proxies === 'number') return () => undefined
  const believed = new BlockList()
  for (const range of proxies ?? []) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    believed.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return ({ remoteAddress: address }) =>
    address === undefined || believed.check(address, familyOf(address)) ? undefined : countedAddress(address)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
