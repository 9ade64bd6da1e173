import { type TestOptions, test } from 'vitest'
import { isLong } from './size.ts'

/** Declares a test that only the long form has. */
export function longTest(name: string, body: () => Promise<void>, options: TestOptions = {}): void {
  if (isLong) test(name, options, body)
}
