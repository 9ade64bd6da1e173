import { type Permission, type PermissionChecker, permissions } from '../../../src/permissions.ts'
import {
  type PermissionCheckerSubject,
  permissionCheckerContract,
} from '../../../src/testing/permission-checker-contract.ts'
import { type Mutation, proveContract } from './prove-contract.ts'

type Caller = { readonly granted: readonly string[] }

const grantedBy: Readonly<Record<Permission, string>> = {
  'Auctions.Create': 'auction-service:Auctions:Create',
  'Bids.Create': 'auction-service:Bids:Create',
  'Auctions.Cancel': 'auction-service:Auctions:Cancel',
  'Auctions.Read': 'auction-service:Auctions:Read',
  'Bids.Read': 'auction-service:Bids:Read',
  'Auctions.Reserve.Read': 'auction-service:Auctions:Reserve:Read',
}

const subjectOf = (allows: PermissionChecker<Caller>['allows']): PermissionCheckerSubject<Caller> => ({
  checker: { allows },
  grantedBy,
  callerGranted: (granted) => ({ granted }),
})

/** A checker that compares each granted text with the one that grants the permission. */
const comparing = (matches: (granted: string, wanted: string) => boolean) =>
  subjectOf((caller, permission) => caller.granted.some((granted) => matches(granted, grantedBy[permission])))

const nothing = 'allows nothing by default'
const each = 'allows each permission to the caller that was granted it, and no other permission'
const all = 'allows all permissions to the caller that was granted all'
const callers = 'tells callers apart'
const near = 'allows nothing for a text that only resembles a grant'
const wildcard = 'allows nothing for a wildcard'
const objects = 'allows nothing for a name that objects have of themselves'

const planted = (
  bug: string,
  makeSubject: () => PermissionCheckerSubject<Caller>,
  ...caughtBy: readonly string[]
): Mutation<PermissionCheckerSubject<Caller>> => ({ bug, makeSubject, caughtBy })

const pattern = (text: string) => new RegExp(`^${text.replaceAll('*', '.*')}$`)

proveContract(permissionCheckerContract<Caller>, () => comparing((granted, wanted) => granted === wanted), [
  planted('allows everything', () => subjectOf(() => true), nothing, each, near, wildcard, objects, callers),
  planted('allows nothing', () => subjectOf(() => false), each, all, callers),
  planted(
    'allows reading by default',
    () =>
      subjectOf(({ granted }, permission) => permission.endsWith('.Read') || granted.includes(grantedBy[permission])),
    nothing,
    each,
  ),
  planted('allows everything for any grant', () => subjectOf(({ granted }) => granted.length > 0), nothing, each),
  planted(
    'takes the right to create for the right to read',
    () =>
      subjectOf(({ granted }, permission) =>
        granted.some(
          (text) => text === grantedBy[permission] || text.replace('Create', 'Read') === grantedBy[permission],
        ),
      ),
    each,
  ),
  planted(
    'looks at the first grant only',
    () => subjectOf(({ granted }, permission) => granted[0] === grantedBy[permission]),
    each,
    all,
  ),
  planted(
    'remembers the answer to the first caller',
    () => {
      const answers = new Map<Permission, boolean>()
      return subjectOf(({ granted }, permission) => {
        const answer = answers.get(permission) ?? granted.includes(grantedBy[permission])
        answers.set(permission, answer)
        return answer
      })
    },
    callers,
  ),
  planted('compares beginnings', () => comparing((granted, wanted) => granted.startsWith(wanted)), near),
  planted('compares beginnings the other way', () => comparing((granted, wanted) => wanted.startsWith(granted)), near),
  planted('compares ends', () => comparing((granted, wanted) => granted.endsWith(wanted)), near),
  planted(
    'does not know letter cases',
    () => comparing((granted, wanted) => granted.toLowerCase() === wanted.toLowerCase()),
    near,
  ),
  planted(
    'searches in one text',
    () => subjectOf(({ granted }, permission) => granted.join(' ').includes(grantedBy[permission])),
    near,
  ),
  planted('knows wildcards', () => comparing((granted, wanted) => pattern(granted).test(wanted)), wildcard),
  planted('knows one wildcard', () => comparing((granted, wanted) => granted === '*' || granted === wanted), wildcard),
  planted(
    'looks grants up among the names of an object',
    () => {
      const known: Record<string, unknown> = Object.fromEntries(permissions.map((name) => [grantedBy[name], name]))
      return subjectOf(({ granted }, permission) =>
        granted.some(
          (text) => known[text] === permission || (known[text] !== undefined && !Object.hasOwn(known, text)),
        ),
      )
    },
    objects,
  ),
])
