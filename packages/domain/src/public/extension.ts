// `@auction/domain/extension`: for a package that reads the store of a service, such as `@auction/delivery`.

export { limitsWith } from '../limits.ts'
export { createSafeObserver, notifySafely, type SafeObserver } from '../observer.ts'
export { requireParts } from '../require-parts.ts'
export { createBatchedReads } from '../store/batched-reads.ts'
export { findReadable, unreadableCauseOf } from '../store/errors.ts'
export { createGuardedStore } from '../store/guarded-store.ts'
export { createTimeLimit, type TimeLimit, withinTime } from '../time-limit.ts'
export { listEventsUseCase } from '../use-cases/list-events.ts'
