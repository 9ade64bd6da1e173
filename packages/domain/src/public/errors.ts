// `@auction/domain/errors`: the errors, each identified by its `code`.

export { InvalidValueError, isInvalidValue } from '../invalid-value.ts'
export { isServiceClosed } from '../lifetime.ts'
export { isStoreUnavailable, StoreUnavailableError } from '../store-unavailable.ts'
export { isUnreadableStored, UnreadableStoredError } from '../unreadable-stored.ts'
