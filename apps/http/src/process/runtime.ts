const isOlder = (version: string, than: string): boolean => sortable(version) < sortable(than)

/** Replaces `localeCompare`, whose collation takes 15 ms to load at every start. */
const sortable = (version: string): string => version.replaceAll(/\d+/g, (part) => part.padStart(4, '0'))

/**
 * Why this release of Node.js must not be used, or undefined; the same as `engines` in package.json. Without the fix
 * for CVE-2026-21717, a 64 KB body of strings with colliding hashes takes a hundred times as long to parse, and blocks
 * all other requests.
 */
export function runtimeFault(version: string): string | undefined {
  const isFixed = !isOlder(version, version.startsWith('25.') ? '25.8.2' : '24.14.1')
  if (isFixed) return undefined
  return `Node.js ${version} lacks the fix for CVE-2026-21717; use Node.js 24.14.1 or later, or 25.8.2 or later`
}
