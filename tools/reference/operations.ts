import { clientCode } from '../../apps/http/src/answers/problem.ts'
import { type ProblemCode, problemType } from '../../apps/http/src/answers/problem-types.ts'
import { createOpenApiDocument } from '../../apps/http/src/openapi/document.ts'
import { requestName, successName } from '../../apps/http/src/openapi/names.ts'
import type { JsonSchema, ParameterObject } from '../../apps/http/src/openapi/openapi.ts'
import { permissionInWords } from '../../apps/http/src/openapi/permission-words.ts'
import { problemsOf } from '../../apps/http/src/openapi/problems.ts'
import { bodyKiB, parametersOf, sharedParameters } from '../../apps/http/src/openapi/requests.ts'
import type { Operation } from '../../apps/http/src/operations/operation.ts'
import { operations } from '../../apps/http/src/operations/table.ts'
import { curlOf } from './curl.ts'
import { markdownTable } from './markdown-table.ts'
import { typeInWords } from './schema-words.ts'

const { schemas } = createOpenApiDocument('').components

/** docs/reference/operations.md, made from the table of operations. */
export function operationsPage(): string {
  return `${[introduction, overview(), ...operations.map(sectionOf), resourcesSection()].join('\n\n')}\n`
}

const introduction = `# Operations

<!-- Made by "npx -y pnpm@12 docs:reference" from apps/http/src/operations: change it there. -->

What they have in common is said once: [who may call, retries, limits, connections](api.md), and [every code that they fail with](errors.md).
The same is in the [OpenAPI document](openapi.json), for programs.`

const anchorOf = ({ summary }: Operation): string => `#${summary.toLowerCase().replaceAll(' ', '-')}`

const overview = (): string =>
  markdownTable(
    ['operation', 'request', 'permission', 'success'],
    operations.map((operation) => [
      `[${operation.summary}](${anchorOf(operation)})`,
      requestLine(operation),
      permissionOf(operation),
      `${operation.success.status}`,
    ]),
  )

const requestLine = ({ method, path }: Operation): string => `\`${method} ${path}\``

const permissionLine = ({ permission }: Operation): string =>
  permission === undefined ? 'It needs no token.' : `Permission: ${permissionInWords(permission)}.`

const permissionOf = ({ permission }: Operation): string =>
  permission === undefined ? 'none, and no token' : `\`${permission}\``

function sectionOf(operation: Operation): string {
  const { summary, name, description, success } = operation
  const headers = [...(operation.method === 'POST' ? ['`Location`'] : []), ...(success.tagged ? ['`ETag`'] : [])]
  const withIt = headers.length === 0 ? '' : `, with ${headers.join(' and ')}`
  return [
    `## ${summary}`,
    `${requestLine(operation)}, in OpenAPI \`${name}\`. ${permissionLine(operation)}`,
    description,
    ...parametersTable(operation),
    ...bodyTable(operation),
    `**${success.status}**${withIt}: ${success.description} ${dataOf(operation)}`,
    ...(success.tagged ? ['**304**: it is as `If-None-Match` says.'] : []),
    ...refusalsOf(operation),
    ...examplesOf(operation),
  ].join('\n\n')
}

/** The parameters that are this operation's own; the others go with every request. */
function parametersTable(operation: Operation): readonly string[] {
  const own = parametersOf(operation).flatMap((parameter) => {
    if (!('$ref' in parameter)) return [parameter]
    const shared = Object.entries(sharedParameters).find(([name]) => parameter.$ref.endsWith(`/${name}`))?.[1]
    return shared === undefined || withEveryRequest.includes(shared.name) ? [] : [shared]
  })
  if (own.length === 0) return []
  const rows = own.map((parameter: ParameterObject) => [
    `\`${parameter.name}\``,
    `${parameter.in}${parameter.required ? ', required' : ''}`,
    typeInWords(parameter.schema),
    `${parameter.description}${defaultOf(parameter.schema)}`,
  ])
  return [markdownTable(['parameter', 'in', 'type', 'meaning'], rows)]
}

const withEveryRequest: readonly string[] = [sharedParameters.RequestId.name, sharedParameters.TraceParent.name]

const defaultOf = (schema: JsonSchema): string =>
  schema.default === undefined ? '' : ` ${JSON.stringify(schema.default)} if not given.`

function bodyTable(operation: Operation): readonly string[] {
  if (operation.body === undefined) return []
  const schema = schemas[requestName(operation)] ?? {}
  const { ignored } = operation.body
  const rows = fieldRows(schema, ['required', 'optional']).filter(
    ([name = '']) => !ignored.has(name.replaceAll('`', '')),
  )
  const dropped = [...ignored].map((name) => `\`${name}\``).join(', ')
  const others =
    ignored.size === 0 ? '' : `Dropped when they are sent, so that a resource can be sent back: ${dropped}. `
  return [
    `The body ${operation.body.isOptional ? 'may be left out, or be' : 'is'} a JSON object of up to ${bodyKiB(operation.body)} KiB:`,
    markdownTable(['field', 'type', 'given', 'meaning'], rows),
    `${others}Any other field is refused.`,
  ]
}

const fieldRows = (
  { properties = {}, required = [] }: JsonSchema,
  [always, sometimes]: readonly [string, string],
): readonly (readonly string[])[] =>
  Object.entries(properties).flatMap(([name, property]) => [
    [
      `\`${name}\``,
      typeInWords(property),
      required.includes(name) ? always : sometimes,
      typeof property === 'object' ? (property.description ?? '') : '',
    ],
    ...fieldsWithin(name, property, [always, sometimes]),
  ])

/** The fields of an object that has no name of its own. */
const fieldsWithin = (
  name: string,
  property: JsonSchema | boolean,
  given: readonly [string, string],
): readonly (readonly string[])[] =>
  typeof property === 'object' && property.properties !== undefined
    ? fieldRows(property, [`${given[0]} in it`, given[1]]).map(([field = '', ...rest]) => [
        `\`${name}.${field.replaceAll('`', '')}\``,
        ...rest,
      ])
    : []

function dataOf(operation: Operation): string {
  const data = schemas[successName(operation)]?.properties?.['data']
  if (typeof data !== 'object') return ''
  if (data.$ref !== undefined) return `\`data\` is ${typeInWords(data)}.`
  const members = Object.entries(data.properties ?? {})
  if (members.length === 0) return '`data` is empty.'
  return `\`data\` has ${members.map(([name, schema]) => `\`${name}\`, ${typeInWords(schema)}`).join(', and ')}.`
}

function refusalsOf(operation: Operation): readonly string[] {
  const codes = problemsOf(operation)
  const own = codes.filter((code) => code in operation.refusals)
  const rows = own.map((code) => [`**${problemType(code).status}**`, linkTo(code), operation.refusals[code] ?? ''])
  const byStatus = Map.groupBy(
    codes.filter((code) => !own.includes(code)),
    (code) => problemType(code).status,
  )
  const others = [...byStatus].map(([status, ofStatus]) => `${status} ${ofStatus.map(linkTo).join(', ')}`)
  return [
    ...(own.length === 0 ? [] : [markdownTable(['refusal', 'code', 'when'], rows)]),
    `${own.length === 0 ? 'It fails with' : 'It also fails with'} ${others.join('; ')}.`,
  ]
}

function linkTo(code: ProblemCode): string {
  const seenAs = clientCode({ code })
  return `[\`${seenAs}\`](errors.md#${seenAs})`
}

const examplesOf = (operation: Operation): readonly string[] =>
  operation.examples.map((example) => {
    const answer = JSON.stringify(example.answer.body, null, 2)
    const command = curlOf(operation, example)
    return `${example.summary}:\n\n\`\`\`sh\n${command}\n\`\`\`\n\nanswers ${example.answer.status}:\n\n\`\`\`json\n${answer}\n\`\`\``
  })

type Resource = readonly [name: string, schema: JsonSchema]

function resourcesSection(): string {
  const resources = Object.entries(schemas).filter(([name]) => !/(Problem|Success|Request|Fault)$/.test(name))
  const sections = resources.map((resource, index) => resourceOf(resource, resources.slice(0, index)))
  return ['## Resources', ...sections].join('\n\n')
}

function resourceOf([name, schema]: Resource, before: readonly Resource[]): string {
  const heading = `### ${name}`
  if (schema.properties === undefined) return `${heading}\n\n${typeInWords(schema)}.`
  const base = before.findLast(([, other]) => isMostlyLike(schema, other))
  if (base === undefined) return `${heading}\n\n${fieldsTable(schema)}`
  const [baseName, { properties: known = {} }] = base
  const own = Object.fromEntries(Object.entries(schema.properties).filter(([field]) => !(field in known)))
  const missing = Object.keys(known).filter((field) => !(field in (schema.properties ?? {})))
  const without = missing.map((field) => `\`${field}\``).join(', ')
  const text = `What [${baseName}](#${baseName.toLowerCase()}) has${without === '' ? '' : `, without ${without}`}`
  if (Object.keys(own).length === 0) return `${heading}\n\n${text}.`
  return `${heading}\n\n${text}, and:\n\n${fieldsTable({ ...schema, properties: own })}`
}

const fieldsTable = (schema: JsonSchema): string =>
  markdownTable(['field', 'type', 'there', 'meaning'], fieldRows(schema, ['always', 'where it applies']))

/** Whether a resource has nearly all fields of another, just as they are there. */
function isMostlyLike({ properties = {} }: JsonSchema, { properties: others = {} }: JsonSchema): boolean {
  const same = Object.keys(others).filter(
    (field) => JSON.stringify(properties[field]) === JSON.stringify(others[field]),
  )
  return same.length > 1 && same.length >= Object.keys(others).length - 1
}
