// `@auction/domain/extension`: for a package that extends a service, such as `@auction/delivery`.

export { publicSequenceOf } from '../auction/public-sequence.ts'
export { pause } from '../clock.ts'
export { notifySafely, type SafeObserver } from '../observer.ts'
export { findReadable, unreadableCauseOf } from '../store/errors.ts'
export { createTimeLimit, type TimeLimit, withinTime } from '../time-limit.ts'
export { inGroups } from '../values/groups.ts'
