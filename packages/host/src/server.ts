export { createConnections, maxBodyParts } from './connections/connections.ts'
export { allowOrigins } from './server/cross-origin.ts'
export { createHeavyWork, createOverloadGate, createTurns, endOfTick, refuseOverload } from './server/event-loop.ts'
export { createRequestsInFlight } from './server/in-flight.ts'
export { addLifecycle, type Lifecycle } from './server/lifecycle.ts'
export { addOtherMethods } from './server/other-methods.ts'
export {
  headerCount,
  operationOf,
  pathOf,
  probePaths,
  requestIdOf,
  traceParentOf,
  warnOfForwarded,
} from './server/requests.ts'
export type { ServerObserver } from './server/server-observer.ts'
