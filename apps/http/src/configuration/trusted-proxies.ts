import { isIP } from 'node:net'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { TrustedProxies } from '@auction/host/security'

const values =
  'the addresses or ranges of proxies, separated by commas, such as 10.0.0.0/8,::1, or the number of proxies, from 1 to 20'
const rule = `must be ${values}`
const openRule = `must not trust every address: a client could then choose the address under which it is counted; set ${values}`

export function parseTrustedProxies(text: string): Result<TrustedProxies, string> {
  const ranges = text.split(',').map((range) => range.trim())
  if (ranges.some((range) => /^(true|yes|on|all|\*|.*\/0)$/i.test(range))) return refused(openRule)
  if (/^([1-9]|1\d|20)$/.test(text.trim())) return accepted(Number(text))
  return ranges.every(isRange) ? accepted(ranges) : refused(rule)
}

function isRange(range: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(range) ?? []
  const version = isIP(address)
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128)
}
