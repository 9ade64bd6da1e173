// `@auction/domain/errors`: the errors, each identified by its `code`.

export { isServiceClosed } from '../lifetime.ts'
export { isSealedBidsUnavailable, isUnopened, KeyMissingError, SealedError } from '../sealer.ts'
export {
  isStoreUnavailable,
  isUnreadableStored,
  isUnsupportedByStore,
  StoreUnavailableError,
  UnreadableStoredError,
  UnsupportedByStoreError,
} from '../store/errors.ts'
export { InvalidValueError, isInvalidValue } from '../values/validation.ts'
