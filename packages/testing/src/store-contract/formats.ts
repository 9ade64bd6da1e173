import { isStoreUnavailable } from '@auction/domain/errors'
import { fill } from './operations.ts'
import type { Suite } from './suite.ts'

/** Data of a later format is not misread. */
export function formats(suite: Suite): void {
  suite.needing('otherFormat', () => declare(suite))
}

function declare({ test, expect }: Suite): void {
  test('refuses to open data of a later format, with an error that names it', async (subject) => {
    await fill(subject.store)
    const format = (await subject.otherFormat?.()) ?? ''
    const open = subject.reopen ?? subject.openSecondHandle
    const error: unknown = await open?.().then(
      () => 'it was opened',
      (reason: unknown) => reason,
    )
    // A later start would not help.
    expect(isStoreUnavailable(error) ? error.code : 'another error').toBe('another error')
    expect(error instanceof Error && error.message.includes(format) ? format : error).toBe(format)
  })
}
