import { bugsInClosers } from './in-closers.ts'
import { bugsInLanes } from './in-lanes.ts'
import { bugsInReads } from './in-reads.ts'
import { bugsInStores } from './in-stores.ts'
import { bugsInSubscriptions } from './in-subscriptions.ts'
import { bugsInWriters } from './in-writers.ts'
import type { PlantedBugs } from './planted.ts'

/** Plausible bugs. The simulation must detect each one. */
export const plantedBugs: PlantedBugs = {
  ...bugsInStores,
  ...bugsInLanes,
  ...bugsInWriters,
  ...bugsInClosers,
  ...bugsInReads,
  ...bugsInSubscriptions,
}
