import { createMemoryStore } from '@auction/adapters/memory'
import type { CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import { StoreUnavailableError } from '@auction/domain/errors'
import { type CheckpointsSubject, checkpointsContract } from '../../src/checkpoints-contract.ts'
import { pause, proveContract } from './prove-contract.ts'
import { away, mapOperations } from './subjects.ts'

type Power = { isOff: boolean; isClosed: boolean }

/** Checkpoints whose first handle can be made unavailable and closed; `change` makes each handle wrong. */
function subjectOf(
  change: (right: Checkpoints, power: Power) => Partial<Checkpoints> = () => ({}),
): CheckpointsSubject {
  const shared = createMemoryStore().checkpoints
  const power: Power = { isOff: false, isClosed: false }
  const underWay = new Set<Promise<unknown>>()
  const handle = (own: Power) => {
    const right = mapOperations(shared, (call) => async (...args) => {
      if (own.isOff) throw away()
      return call(...args)
    })
    return { ...right, ...change(right, own) }
  }
  const checkpoints = mapOperations(handle(power), (call) => async (...args) => {
    if (power.isClosed) throw new StoreUnavailableError('the store is closed')
    const result = call(...args)
    underWay.add(result)
    return result
  })
  const other = async () => handle({ isOff: false, isClosed: false })
  return {
    checkpoints,
    openSecondHandle: other,
    reopen: other,
    breakStore: async () => {
      power.isOff = true
      return async () => {
        power.isOff = false
      }
    },
    closeStore: async () => {
      power.isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

const textOf = ({ auctionId, name }: CheckpointKey): string => `${auctionId}/${name}`

/** A store that writes what it has read before, without a condition. */
const readsFirst = (right: Checkpoints): Partial<Checkpoints> => ({
  async save(checkpoints) {
    const saved = await right.find(checkpoints.map(({ auctionId }) => auctionId))
    const before = new Map(saved.map((each) => [textOf(each), each.sequence]))
    await pause()
    await right.remove(checkpoints)
    await right.save(
      checkpoints.map((each) => ({ ...each, sequence: Math.max(each.sequence, before.get(textOf(each)) ?? -1) })),
    )
  },
})

const nothing = async () => undefined
const idle = [
  () => ({ checkpoints: createMemoryStore().checkpoints }),
  () => ({ ...subjectOf(() => ({ save: nothing, remove: nothing })), closeStore: nothing }),
  () => {
    const right = subjectOf()
    const late = mapOperations(right.checkpoints, (call) => async (...args) => {
      await pause()
      return call(...args)
    })
    return { ...right, checkpoints: late }
  },
]

proveContract(checkpointsContract, subjectOf, idle, [
  {
    bug: 'compares sequences before it saves them',
    caughtBy: 'keeps the highest of the sequences that two handles save at once',
    makeSubject: () => subjectOf(readsFirst),
  },
])
