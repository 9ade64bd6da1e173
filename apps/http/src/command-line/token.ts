import { type Permission, permissions } from '@auction/domain/permissions'
import jwt from '@fastify/jwt'
import { fastify } from 'fastify'
import type { Configuration } from '../configuration/configuration.ts'
import type { Environment } from '../configuration/given-settings.ts'
import type { ConfigurationReading } from '../configuration/read-configuration.ts'
import { trialClaims, trialPermissions } from '../security/trial-claims.ts'
import type { Terminal } from './terminal.ts'

/** As they are given. */
export type TokenOptions = {
  readonly subject?: string | undefined
  readonly permissions?: string | undefined
  readonly user?: string | undefined
  readonly 'expires-in'?: string | undefined
}

export const defaultLifetime = '1h'

/** Prints a token for trying out, or says why there is none. */
export async function printToken(
  options: TokenOptions,
  environment: Environment,
  reading: ConfigurationReading,
  { print, refuse }: Terminal,
): Promise<void> {
  if (environment['NODE_ENV'] === 'production') return refuse(notInProduction)
  if (!reading.ok) {
    for (const line of [...reading.faults, ...reading.warnings]) refuse(line)
    return
  }
  const { configuration } = reading
  const secret = secretOf(configuration)
  const asked = askedFor(options, Date.now())
  const faults = [...(secret.ok ? [] : [secret.fault]), ...(asked.ok ? [] : asked.faults)]
  if (!secret.ok || !asked.ok) return faults.forEach(refuse)
  print(await sign({ ...trialClaims(configuration, asked.token), exp: asked.expiresAt }, secret.value))
}

const notInProduction =
  'token: is refused under NODE_ENV=production, where tokens come from their issuer alone; try the service out without it'

type Secret = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly fault: string }

function secretOf({ tokenKey }: Configuration): Secret {
  if (tokenKey?.kind === 'secret') return { ok: true, value: tokenKey.secret }
  if (tokenKey === undefined) {
    return {
      ok: false,
      fault:
        'JWT_SECRET: is not given; a server without it prints a token of its own when it starts, or give both the same one',
    }
  }
  const name = tokenKey.kind === 'public-key' ? 'JWT_PUBLIC_KEY' : 'JWT_JWKS_URL'
  const fault = `${name}: verifies tokens and signs none; ask the issuer for one, or try the service out with JWT_SECRET in its place`
  return { ok: false, fault }
}

/** `expiresAt` in seconds since 1970 (RFC 7519, section 4.1.4). */
type Asked =
  | { readonly ok: true; readonly token: Parameters<typeof trialClaims>[1]; readonly expiresAt: number }
  | { readonly ok: false; readonly faults: readonly string[] }

function askedFor(options: TokenOptions, nowMs: number): Asked {
  const { subject = 'trial', user = '1', 'expires-in': expiresIn = defaultLifetime } = options
  const granted = permissionsOf(options.permissions)
  const lifetimeSeconds = secondsOf(expiresIn)
  const faults = [
    ...(subject === '' ? ['--subject: must not be empty'] : []),
    ...(/^[1-9]\d{0,15}$/.test(user) && Number.isSafeInteger(Number(user)) ? [] : ['--user: must be an id, such as 1']),
    ...(granted.unknown === undefined
      ? []
      : [`--permissions: there is no ${granted.unknown}; there are ${permissions.join(', ')}, with commas, or none`]),
    ...(lifetimeSeconds === undefined
      ? ['--expires-in: must be a number of s, m, h or d, such as 15m, up to 30d']
      : []),
  ]
  if (faults.length > 0 || lifetimeSeconds === undefined) return { ok: false, faults }
  const expiresAt = Math.floor(nowMs / 1000) + lifetimeSeconds
  return { ok: true, token: { subject, permissions: granted.known, user: Number(user) }, expiresAt }
}

function permissionsOf(text: string | undefined): { readonly known: readonly Permission[]; readonly unknown?: string } {
  if (text === undefined) return { known: trialPermissions }
  if (text === 'none') return { known: [] }
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !permissions.some((permission) => permission === name))
  const known = permissions.filter((permission) => names.includes(permission))
  return { known, ...(unknown !== undefined && { unknown: `"${unknown}"` }) }
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const longestSeconds = 30 * 86_400

function secondsOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsIn[unit] ?? Number.NaN)
  return seconds <= longestSeconds ? seconds : undefined
}

async function sign(claims: object, secret: string): Promise<string> {
  const app = fastify()
  await app.register(jwt, { secret })
  const text = app.jwt.sign(claims)
  await app.close()
  return text
}
