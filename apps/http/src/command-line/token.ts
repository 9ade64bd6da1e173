import { UserId } from '@auction/domain/ids'
import { SignJWT } from 'jose/jwt/sign'
import * as v from 'valibot'
import { trialClaims } from '../api/callers/claims.ts'
import { permissions } from '../configuration/permissions.ts'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { fail, print } from '../process/terminal.ts'
import { secondsOf } from './durations.ts'

export const defaultLifetime = '1h'
const lifetimeRule = '--expires-in: must be a number followed by s, m, h or d, such as 15m, up to 30d'
const permissionRule = `--permissions: must be one or more of ${permissions.join(', ')}, separated by commas, or none`
const userRule = '--user: must be an id, such as 1'
const unnamedClaim = '--user: requires JWT_SUBJECT_CLAIM, which names the claim of the token that has the id'
const ownSubject = '--subject: JWT_SUBJECT_CLAIM is sub, whose value --user sets'

const optionsSchema = v.object({
  subject: v.optional(v.pipe(v.string(), v.nonEmpty('--subject: must not be empty')), 'trial'),
  user: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, userRule),
      v.toNumber(),
      v.check((id) => v.is(UserId, id), userRule),
    ),
    '1',
  ),
  permissions: v.optional(
    v.pipe(
      v.string(),
      v.transform((names) => (names === 'none' ? [] : names.split(',').map((name) => name.trim()))),
      v.array(v.picklist(permissions, permissionRule)),
    ),
  ),
  'expires-in': v.optional(
    v.pipe(v.string(), v.transform(secondsOf), v.number(lifetimeRule), v.maxValue(30 * 86_400, lifetimeRule)),
    defaultLifetime,
  ),
})

export async function printToken(values: {
  readonly user?: string | undefined
  readonly subject?: string | undefined
}): Promise<void> {
  if (process.env['NODE_ENV'] === 'production') {
    return fail('token: is not available under NODE_ENV=production, where only the issuer signs tokens')
  }
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults, ...reading.warnings)
  const { configuration } = reading
  const key = configuration.tokenKey
  const options = v.safeParse(optionsSchema, values, { abortPipeEarly: true })
  const faults = new Set(options.issues?.map(({ message }) => message))
  const { subjectClaim } = configuration.tokens
  if (values.user !== undefined && subjectClaim === undefined) faults.add(unnamedClaim)
  if (values.subject !== undefined && subjectClaim === 'sub') faults.add(ownSubject)
  if (key?.kind !== 'secret') return fail(secretFaults[key?.kind ?? 'none'], ...faults)
  if (!options.success || faults.size > 0) return fail(...faults)
  const claims = trialClaims(configuration, options.output)
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
  print(await token.setExpirationTime(`${options.output['expires-in']}s`).sign(Buffer.from(key.secret)))
}

const onlyVerifies = 'only verifies tokens; ask the issuer for one, or set JWT_SECRET instead to try the service'
const secretFaults = {
  none: 'JWT_SECRET: is not set; without it, the service prints a token when it starts',
  'public-key': `JWT_PUBLIC_KEY: ${onlyVerifies}`,
  'key-set': `JWT_JWKS_URL: ${onlyVerifies}`,
}
