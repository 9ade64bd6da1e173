import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { features } from 'web-features'

// Refuses globals, static members and methods that a supported browser lacks, by the data of MDN. It knows no types: a call of a method of
// any object is refused if each method with this name is too new. Biome's rule `useBaseline` checks style sheets.

/** The oldest supported versions, all of May 2024. docs/how-to/embed-the-page.md and the README of the client name them. */
export const oldestBrowsers = {
  chrome: 125,
  chrome_android: 125,
  edge: 125,
  firefox: 126,
  firefox_android: 126,
  safari: 17.5,
  safari_ios: 17.5,
} as const

/** Whether all supported browsers have a feature, by keys such as `api.URL.parse_static` and `javascript.builtins.Set.union`. */
const isSupported = new Map<string, boolean>()
for (const feature of Object.values(features)) {
  if (feature.kind !== 'feature') continue
  for (const [key, status] of Object.entries(feature.status.by_compat_key ?? {})) {
    // The casts: the schema of the data has this member, and these are the names of a literal.
    const { support } = status as Pick<typeof feature.status, 'support'>
    const names = Object.keys(oldestBrowsers) as (keyof typeof oldestBrowsers)[]
    isSupported.set(
      key,
      names.every((name) => Number(support[name]?.replace('≤', '') ?? Number.NaN) <= oldestBrowsers[name]),
    )
  }
}
const isMissing = (key: string): boolean => isSupported.get(key) === false

const membersByName = Map.groupBy(
  [...isSupported.keys()].filter((key) => /^(api|javascript\.builtins)\.\w+\./.test(key)),
  (key) => key.slice(key.lastIndexOf('.') + 1),
)

/** A node of any type of the syntax tree. */
type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameOf = (value: unknown): string => (isNode(value) ? String(value['name'] ?? '') : '')

type Use = { readonly name: string; readonly start: number; readonly isTooNew: () => boolean }

/** What sources use and a supported browser lacks, with its line. @param sources their texts by their paths */
export function unsupportedIn(sources: Readonly<Record<string, string>>): readonly string[] {
  const ownMembers = new Set<string>()
  const uses = Object.entries(sources).flatMap(([file, text]) =>
    usesIn(file, text, ownMembers).map((use) => ({
      ...use,
      line: `${file}:${text.slice(0, use.start).split('\n').length}`,
    })),
  )
  const found = uses.filter(({ isTooNew }) => isTooNew())
  return [...new Set(found.map(({ line, name }) => `${line}: a supported browser lacks ${name}`))]
}

/** The uses of globals and members in a source. Adds the names of the members that it defines. */
function usesIn(file: string, text: string, ownMembers: Set<string>): readonly Use[] {
  const uses: Use[] = []
  const declared = new Set<string>()

  function noteMember({ object, property }: Node, isCalled: boolean): void {
    const [owner, member] = [nameOf(object), nameOf(property)]
    const known = [`api.${owner}.${member}_static`, `javascript.builtins.${owner}.${member}`].filter((key) =>
      isSupported.has(key),
    )
    const all = known.length > 0 ? known : isCalled ? (membersByName.get(member) ?? []) : []
    // The cast: `nameOf` has found a name in it.
    const { start } = property as Node
    const isTooNew = () => all.length > 0 && all.every(isMissing) && (known.length > 0 || !ownMembers.has(member))
    uses.push({ name: `${owner || '…'}.${member}`, start, isTooNew })
  }

  function visit(node: Node, isDeclared = false): void {
    const { type, start, computed } = node
    // Browsers do not get the types.
    if (/^TS(?!As|NonNull|Satisfies)/.test(type)) return
    if (type === 'Identifier' && isDeclared) declared.add(nameOf(node))
    else if (type === 'Identifier') {
      const name = nameOf(node)
      const keys = [`api.${name}`, `javascript.builtins.${name}`, `api.Window.${name}`]
      uses.push({ name, start, isTooNew: () => !declared.has(name) && keys.some(isMissing) })
    }
    const { callee } = node
    if (isNode(callee) && callee.type === 'MemberExpression') noteMember(callee, true)
    else if (type === 'MemberExpression' && computed === false) noteMember(node, false)
    for (const [part, value] of Object.entries(node)) {
      const isName = (part === 'property' || part === 'key') && computed === false
      if (isName && part === 'key' && !isDeclared) ownMembers.add(nameOf(value))
      const declares = /^(id|local|params?)$/.test(part) || (isDeclared && part !== 'right')
      for (const child of isName ? [] : [value].flat()) if (isNode(child)) visit(child, declares)
    }
  }

  // The cast: any type of node has these members.
  visit(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }) as unknown as Node)
  return uses
}

if (import.meta.main) {
  const files = globSync(['apps/web/page/**/*.js', 'packages/client/src/*.ts'])
  const found = unsupportedIn(Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])))
  for (const line of found) process.stderr.write(`${line}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
