import type { Follower } from '@auction/testing/history'
import type { AuctionService } from '../../src/service.ts'
import { isStoreUnavailable } from '../../src/store/errors.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import type { FollowerSteps } from './planted-bugs/planted.ts'
import type { Process } from './processes.ts'
import { nowMs, type World } from './world.ts'

const rightSteps: FollowerSteps = { readAfter: (position) => position, resumeFrom: (position) => position }

/** A follower while it follows. */
type Following = Follower & { position: number; readonly seen: Follower['seen'][number][] }

/**
 * A client follows an auction until it is over, as by an event stream: it watches, then reads page after page from its
 * position on, and reads again when something is noticed. After a crash, or when the client leaves, it continues
 * through any process.
 */
export async function followSomething(world: World, planted: Partial<FollowerSteps> = {}): Promise<void> {
  const { chance, time, processes, known, problems, ending } = world
  const steps = { ...rightSteps, ...planted }
  await time.sleep(chance.int(0, 1_000))
  const [first, ...others] = known
  if (first === undefined) return
  const { auction } = chance.pick([first, ...others])
  let follower: Following | undefined
  for (;;) {
    const process = chance.pick(processes)
    follower ??= await startFollowing(world, process, auction.id)
    if (follower !== undefined && (await connect(world, process, follower, steps)) === 'over') return
    if (ending.isOver) break
    if (follower !== undefined) follower.position = Math.max(follower.from, steps.resumeFrom(follower.position))
    await time.sleep(chance.int(1, 100))
  }
  problems.push(`a follower of auction ${auction.id} has not seen its end, but only ${follower?.position} entries`)
}

/** Begins with all entries, or with those after a read. */
async function startFollowing(
  { chance, followers }: World,
  process: Process,
  auctionId: AuctionId,
): Promise<Following | undefined> {
  const isFromBeginning = chance.percent(50)
  const read = isFromBeginning
    ? undefined
    : await process.call((service) => service.readAuction(auctionId)).catch(ignore)
  if (!isFromBeginning && (read === undefined || read === 'crashed' || !read.ok)) return undefined
  const from = read !== undefined && read !== 'crashed' && read.ok ? read.value.sequence : 0
  const follower = { auctionId, from, position: from, seen: [] }
  followers.push(follower)
  return follower
}

const ignore = () => undefined

async function connect(
  world: World,
  process: Process,
  follower: Following,
  steps: FollowerSteps,
): Promise<'over' | 'left' | 'crashed'> {
  const { chance, time, ending, problems } = world
  // Some connections last.
  const left = chance.percent(50) ? ending.promise : Promise.race([ending.promise, time.sleep(chance.int(50, 2_000))])
  const connection = { isOpen: true }
  try {
    return await process.call((service) => stream(world, service, follower, steps, left, connection))
  } catch (error) {
    if (!isStoreUnavailable(error)) problems.push(`a follower failed: ${error instanceof Error ? error.stack : error}`)
    return 'left'
  } finally {
    connection.isOpen = false
  }
}

async function stream(
  world: World,
  service: AuctionService,
  follower: Following,
  { readAfter }: FollowerSteps,
  left: Promise<void>,
  connection: { readonly isOpen: boolean },
): Promise<'over' | 'left'> {
  const { auctionId } = follower
  const limit = world.chance.pick([1, 2, 50])
  let noticed = 0
  let wake = () => {}
  const stop = service.watchAuction(auctionId, (sequence) => {
    noticed = Math.max(noticed, sequence)
    wake()
  })
  try {
    for (;;) {
      const after = readAfter(follower.position, noticed)
      const page = await service.listEvents(auctionId, { after, limit, through: noticed })
      if (!connection.isOpen || world.ending.isOver || !page.ok) return 'left'
      for (const event of page.value.items) follower.seen.push({ event, atMs: nowMs(world) })
      follower.position = page.value.position
      if (page.value.isOver && page.value.isAtHead) return 'over'
      // A store may hide an entry again, and must not be read without a pause.
      if (noticed > after && page.value.position === after) return 'left'
      if (!page.value.isAtHead || noticed > follower.position) continue
      const isNoticed = new Promise<'noticed'>((resolve) => {
        wake = () => resolve('noticed')
      })
      if ((await Promise.race([isNoticed, left])) !== 'noticed') return 'left'
    }
  } finally {
    stop()
  }
}
