// The first releases with the fix for CVE-2026-21717. Later lines have it from their start. The same as `engines` in package.json.
const leastSafe = new Map<number, readonly [minor: number, patch: number]>([
  [24, [14, 1]],
  [25, [8, 2]],
])

/**
 * Why this release of Node.js must not be used, or undefined. Without the fix for CVE-2026-21717, a 64 KB body of strings with
 * colliding hashes takes a hundred times as long to parse, and blocks all other requests.
 */
export function runtimeFault(version: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  if (major > 25) return undefined
  const least = leastSafe.get(major)
  if (least !== undefined && (minor > least[0] || (minor === least[0] && patch >= least[1]))) return undefined
  return `Node.js ${version} lacks the fix for CVE-2026-21717; use Node.js 24.14.1 or later, or 25.8.2 or later`
}
