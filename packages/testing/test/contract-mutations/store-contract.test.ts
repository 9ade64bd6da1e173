import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleEntry } from '../../src/samples.ts'
import type { StoreSubject } from '../../src/store-contract.ts'
import { bugsAtOnce } from './bugs-at-once.ts'
import { bugsInVisibility } from './bugs-in-visibility.ts'
import { bugsOnFailure } from './bugs-on-failure.ts'
import { pause, proveContract } from './prove-contract.ts'
import { mapOperations, plantedContract, remembering, rightSubject, subjectOf } from './subjects.ts'

/** A subject that has no hook, and whose store has no optional operation. */
function bare(): StoreSubject {
  const { addTitleWords: _, listBidderEntries: __, ...store } = createMemoryStore()
  return { store }
}

/** A store whose writes do nothing. */
const keepingNothing = (): StoreSubject =>
  subjectOf({
    ...createMemoryStore(),
    insertAuction: async () => 'inserted',
    updateAgenda: async () => undefined,
    addTitleWords: async () => undefined,
    append: async ({ length }) => length,
    claimNextIdBlock: async () => 1,
  })

/** A store that reads everything once. */
const readingOnce = (): StoreSubject =>
  subjectOf(
    mapOperations(createMemoryStore(), (call, name) => (/^(find|list|appended)/.test(name) ? remembering(call) : call)),
  )

/** A subject whose hooks do nothing. */
function withoutEffect(): StoreSubject {
  const nothing = async () => async () => undefined
  const once = async () => undefined
  const hooks = {
    breakStore: nothing,
    halt: nothing,
    holdKeys: nothing,
    failNext: once,
    damage: once,
    closeStore: once,
  }
  return { ...rightSubject(), ...hooks, otherFormat: async () => '99' }
}

/** A store that ignores its arguments. It always finds the same, and empties the lists that it receives. */
function ignoringArguments(): StoreSubject {
  const right = createMemoryStore()
  const found = mapOperations(right, (_call, name) => async (...args) => {
    for (const list of args) if (Array.isArray(list)) list.length = 0
    return (name === 'findAuction' ? sampleAuction() : [sampleEntry()]) as never // Of another type for most.
  })
  return subjectOf(found)
}

/** A subject that is closed while calls are in flight. */
const notWaiting = (): StoreSubject => {
  const { store, ...subject } = rightSubject()
  const late = mapOperations(store, (call) => async (...args) => {
    await pause()
    return call(...args)
  })
  return { ...subject, store: late }
}

const idle = [bare, keepingNothing, readingOnce, withoutEffect, ignoringArguments, notWaiting]

proveContract(plantedContract, rightSubject, idle, [...bugsAtOnce, ...bugsInVisibility, ...bugsOnFailure])
