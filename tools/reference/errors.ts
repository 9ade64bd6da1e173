import { clientCode } from '../../apps/http/src/answers/problem.ts'
import { type ProblemCode, problemCodes, problemType } from '../../apps/http/src/answers/problem-types.ts'
import { createOpenApiDocument } from '../../apps/http/src/openapi/document.ts'
import { headers } from '../../apps/http/src/openapi/headers.ts'
import { problemSchemaName, problemsOf } from '../../apps/http/src/openapi/problems.ts'
import { operations } from '../../apps/http/src/operations/table.ts'
import { markdownTable } from './markdown-table.ts'
import { typeInWords } from './schema-words.ts'

const { schemas } = createOpenApiDocument('').components

/** docs/reference/errors.md, made from the table of problems. */
export function errorsPage(): string {
  const byCode = [...Map.groupBy(problemCodes, (code) => clientCode({ code }))]
  return `${[introduction, envelope(), overview(byCode), ...byCode.map(sectionOf), faultSection()].join('\n\n')}\n`
}

const introduction = `# Errors

<!-- Made by "npx -y pnpm@12 docs:reference" from apps/http/src/answers/problem-types.ts: change it there. -->

A failure is answered as \`application/problem+json\` (RFC 9457), in the envelope of every answer. Programs go by \`code\`, which stays;
\`message\` is for people, and says what would have been right. What to do about each is in
[how to call the service as a client](../how-to/call-as-a-client.md).`

/** What the schemas of all problems have. */
const common = ['success', 'message', 'type', 'title', 'status', 'code']

const envelope = (): string =>
  markdownTable(
    ['member', 'value'],
    [
      ['`success`', '`false`'],
      ['`message`', 'text, for people'],
      ['`type`', '`urn:auction-service:problem:` and the code'],
      ['`title`', 'text, the same for every problem of the type'],
      ['`status`', 'the status of the answer'],
      ['`code`', 'one of the following'],
    ],
  )

type ByCode = readonly [seenAs: string, codes: readonly ProblemCode[]]

const overview = (byCode: readonly ByCode[]): string =>
  markdownTable(
    ['code', 'status', 'when'],
    byCode.flatMap(([seenAs, codes]) =>
      codes.map((code) => [`[\`${seenAs}\`](#${seenAs})`, String(problemType(code).status), problemType(code).when]),
    ),
  )

function sectionOf([seenAs, codes]: ByCode): string {
  const own = codes.flatMap((code) =>
    Object.entries(schemas[problemSchemaName(code)]?.properties ?? {}).filter(([name]) => !common.includes(name)),
  )
  const members = own.map(([name, schema]) => [
    `\`${name}\``,
    typeInWords(schema),
    typeof schema === 'object' ? (schema.description ?? '') : '',
  ])
  const names = [...new Set(codes.flatMap((code) => problemType(code).headers ?? []))]
  return [
    `## ${seenAs}`,
    ...codes.map((code) => `**${problemType(code).status}** "${problemType(code).title}". ${problemType(code).when}`),
    ...(members.length === 0 ? [] : [markdownTable(['member', 'type', 'meaning'], members)]),
    ...(names.length === 0
      ? []
      : [
          markdownTable(
            ['header', 'meaning'],
            names.map((name) => [`\`${name}\``, headers[name].description]),
          ),
        ]),
    answeredBy(codes),
  ].join('\n\n')
}

function answeredBy(codes: readonly ProblemCode[]): string {
  const names = operations.filter((operation) => problemsOf(operation).some((code) => codes.includes(code)))
  if (names.length === operations.length) return 'Every operation may fail with it.'
  if (names.length === 0) return 'It is the answer where there is no operation.'
  const links = names.map(
    ({ summary }) => `[${summary.toLowerCase()}](operations.md#${summary.toLowerCase().replaceAll(' ', '-')})`,
  )
  return `It comes from: ${links.join(', ')}.`
}

function faultSection(): string {
  const rows = Object.entries(schemas['Fault']?.properties ?? {}).map(([name, schema]) => [
    `\`${name}\``,
    typeInWords(schema),
    typeof schema === 'object' ? (schema.description ?? '') : '',
  ])
  return `## Fault\n\nOne of the \`errors\` of a \`validation-failed\`.\n\n${markdownTable(['member', 'type', 'meaning'], rows)}`
}
