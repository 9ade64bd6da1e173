import { isStoreUnavailable } from '@auction/domain/errors'
import { MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb'

/** Codes of servers that start, stop, elect a primary, are overloaded, or build the same indexes for another process. */
const passingCodes: readonly unknown[] = [
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  276, // IndexBuildAborted
  365, // TemporarilyUnavailable
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]

/** The labels of an error with any code by which a server refuses work that it has not begun. */
const overloadLabels = ['SystemOverloadedError', 'RetryableError']

/** Whether a failure may be temporary, such as an outage, but not a wrong password. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof MongoServerError)
    return passingCodes.includes(error.code) || overloadLabels.some((label) => error.hasErrorLabel(label))
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  // The driver does not export the class of this error, a time-out of a new connection.
  if (error.name === 'MongoWaitQueueTimeoutError') return true
  // The DNS does not have the name of a mongodb+srv:// address yet.
  const isOfNames = 'syscall' in error && String(error.syscall).startsWith('query')
  return isStoreUnavailable(error) || isOfNames || mayPass(error.cause)
}
