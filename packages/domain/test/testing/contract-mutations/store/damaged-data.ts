import { type OnDamage, rightOnDamage, rightSubject, type StoreMutation, unreadable, withDamage } from '../planted.ts'

const whiches = ['stored under another version', 'stored with a faulty field']
const auctions = whiches.map((which) => `fails for an auction that is ${which}, and leaves it out of lists`)
const entries = whiches.map((which) => `fails for an entry that is ${which}, and reads those beside it`)

/** A store that does another thing with what can’t be read. */
const onDamage = (bug: string, change: Partial<OnDamage>, ...caughtBy: readonly string[]): StoreMutation => ({
  bug,
  makeSubject: () => {
    const { damage: _, ...subject } = rightSubject()
    return withDamage(subject, { ...rightOnDamage, ...change })
  },
  caughtBy,
})

/** A store that reads one kind of damage as if nothing was wrong. */
const passing = (bug: string, damage: string, index: number): StoreMutation => ({
  bug,
  makeSubject: () => {
    const subject = rightSubject()
    return {
      ...subject,
      damage: async (kind, id, how) => (how === damage ? undefined : subject.damage?.(kind, id, how)),
    }
  },
  caughtBy: [auctions, entries].flatMap((names) => names.slice(index, index + 1)),
})

export const damagedDataMutations: readonly StoreMutation[] = [
  {
    bug: 'has no data that can be damaged, and does not say so',
    makeSubject: () => {
      const { damage: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: ['runs against data that can’t be read'],
  },
  passing('does not look at the version of what it reads', 'another version', 0),
  passing('does not look at the fields that it reads', 'a faulty field', 1),
  onDamage('takes an auction that it can’t read for none', { auction: () => undefined }, ...auctions),
  onDamage(
    'says nothing of auctions that it leaves out of lists',
    {
      listed: (page, isDamaged) => {
        const { unreadable: _, ...rest } = rightOnDamage.listed(page, isDamaged)
        return rest
      },
    },
    ...auctions,
  ),
  onDamage(
    'fails for a whole list where an auction of it can’t be read',
    {
      listed: (page, isDamaged) => {
        for (const { auction } of page.items) if (isDamaged(auction.id)) throw unreadable('auction', auction.id)
        return page
      },
    },
    ...auctions,
  ),
  onDamage(
    'ends a list at an auction that it can’t read',
    {
      listed: (page, isDamaged) => {
        const right = rightOnDamage.listed(page, isDamaged)
        return right.unreadable?.length ? { ...right, next: undefined } : right
      },
    },
    ...auctions,
  ),
  onDamage(
    'leaves entries out that it can’t read',
    { entries: (found, isDamaged) => found.filter(({ id }) => !isDamaged(id)) },
    ...entries,
  ),
  onDamage(
    'throws another error for an entry that it can’t read',
    {
      entries: (found, isDamaged) => {
        if (found.some(({ id }) => isDamaged(id))) throw new SyntaxError('Unexpected end of JSON input')
        return found
      },
    },
    ...entries,
  ),
  onDamage(
    'throws another error for an auction that it can’t read',
    {
      auction: () => {
        throw new SyntaxError('Unexpected end of JSON input')
      },
    },
    ...auctions,
  ),
]
