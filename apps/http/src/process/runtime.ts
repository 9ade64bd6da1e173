// The first releases of their lines whose string hashes can't be foretold; later lines have had that from their start, and
// earlier ones are too old for this service. `engines` in package.json says the same.
const leastSafe = new Map<number, readonly [minor: number, patch: number]>([
  [24, [14, 1]],
  [25, [8, 2]],
])

/**
 * Says why a Node.js must not serve, or undefined when it may. Without the mend of CVE-2026-21717, a body of 64 KB of strings
 * that collide in V8's string table takes a hundred times as long to parse, and everybody else waits.
 */
export function runtimeFault(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  if (major > 25) return undefined
  const least = leastSafe.get(major)
  if (least !== undefined && (minor > least[0] || (minor === least[0] && patch >= least[1]))) return undefined
  return `Node.js ${version}: is too old; the mend of CVE-2026-21717 is needed, so run Node.js 24.14.1 or 25.8.2 or later`
}
