import { accepted, type Result, refused } from '@auction/domain/result'

export const sealerKeyValues = 'base64 of 32 random bytes ("openssl rand -base64 32"), or several, separated by commas'

const keyBytes = 32

/** Reads the keys of sealed bids. The refusal completes "the setting …", and never repeats the text. */
export function sealerKeysIn(text: string): Result<readonly Uint8Array[], string> {
  const keys = text.split(',').map((key) => key.trim())
  const read = keys.map((key) => Buffer.from(key, 'base64'))
  // Buffers skip what is not base64.
  const areKeys = read.every((bytes, index) => bytes.length === keyBytes && bytes.toString('base64') === keys[index])
  if (!areKeys) return refused(`must be ${sealerKeyValues}`)
  if (new Set(keys).size < keys.length) return refused('must not have the same key twice')
  return accepted(read)
}
