import { lacking, type Plant, type StoreMutation } from '../planted.ts'
import { type OnDamage, rightOnDamage, rightSubject, unreadable, withDamage } from '../subjects.ts'

const whiches = ['stored under another version', 'stored with an invalid field', 'stored as text that is not JSON']
const auctions = whiches.map((which) => `fails for an auction that is ${which}, and omits it from lists`)
const entries = whiches.map((which) => `fails for an entry that is ${which}, and reads the other entries`)

/** A store with a bug in how it handles unreadable data. */
const onDamage: Plant<Partial<OnDamage>> = (bug, caughtBy, change) => ({
  bug,
  makeSubject: () => {
    const { damage: _, ...subject } = rightSubject()
    return withDamage(subject, { ...rightOnDamage, ...change })
  },
  caughtBy,
})

/** A store that reads one kind of damage as valid data. */
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

/** A store whose lists parse the JSON of all rows before they look at each row. */
const failingLists = (bug: string): StoreMutation => ({
  bug,
  makeSubject: () => {
    const subject = rightSubject()
    const { store } = subject
    let isDamaged = false
    return {
      ...subject,
      store: {
        ...store,
        listAuctions: async (query) => {
          const page = await store.listAuctions(query)
          if (isDamaged && page.unreadable?.length) JSON.parse('{"version":1,')
          return page
        },
      },
      damage: async (kind, id, how) => {
        isDamaged = kind === 'auction' && how === 'text that is not JSON'
        await subject.damage?.(kind, id, how)
      },
    }
  },
  caughtBy: auctions.slice(2),
})

export const damagedDataMutations: readonly StoreMutation[] = [
  lacking('cannot damage data, and does not report that', 'runs with unreadable data', 'damage'),
  passing('does not look at the version of what it reads', 'another version', 0),
  passing('does not look at the fields that it reads', 'an invalid field', 1),
  failingLists('fails for a whole list with an auction that is not JSON'),
  onDamage('treats an auction that it cannot read as missing', auctions, { auction: () => undefined }),
  onDamage('omits unreadable auctions from those of many ids', auctions, {
    found: (found, isDamaged) => found.filter(({ auction: { id } }) => !isDamaged(id)),
  }),
  onDamage('does not report auctions that it omits from lists', auctions, {
    listed: (page, isDamaged) => {
      const { unreadable: _, ...rest } = rightOnDamage.listed(page, isDamaged)
      return rest
    },
  }),
  onDamage('fails for a whole list with an unreadable auction', auctions, {
    listed: (page, isDamaged) => {
      for (const { auction } of page.items) if (isDamaged(auction.id)) throw unreadable('auction', auction.id)
      return page
    },
  }),
  onDamage('ends a list at an unreadable auction', auctions, {
    listed: (page, isDamaged) => {
      const right = rightOnDamage.listed(page, isDamaged)
      return right.unreadable?.length ? { ...right, next: undefined } : right
    },
  }),
  onDamage('omits unreadable entries', entries, {
    entries: (found, isDamaged) => found.filter(({ id }) => !isDamaged(id)),
  }),
  onDamage('throws another error for an unreadable entry', entries, {
    entries: (found, isDamaged) => {
      if (found.some(({ id }) => isDamaged(id))) throw new SyntaxError('Unexpected end of JSON input')
      return found
    },
  }),
  onDamage('throws another error for an unreadable auction', auctions, {
    auction: () => {
      throw new SyntaxError('Unexpected end of JSON input')
    },
  }),
]
