import { startChild } from './child.ts'
import { provided } from './needs.ts'

/** Runs promtool, and returns its exit code and output; call it within `describeWith`. */
export async function runPromtool(
  parts: readonly string[],
  input = '',
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { exited, stdout, stderr } = startChild(provided('promtool').program, parts, { input })
  const code = await exited()
  return { code, said: stdout() + stderr() }
}
