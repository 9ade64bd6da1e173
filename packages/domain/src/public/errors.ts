// `@auction/domain/errors`: the errors, each identified by its `code`.

export { isServiceClosed } from '../lifetime.ts'
export { isStoreUnavailable, StoreUnavailableError } from '../store/store-unavailable.ts'
export { isUnreadableStored, UnreadableStoredError } from '../store/unreadable-stored.ts'
export { InvalidValueError, isInvalidValue } from '../values/invalid-value.ts'
