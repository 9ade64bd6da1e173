import { describeSettings, type SettingDescription } from '../../apps/http/src/configuration/describe-settings.ts'
import { environmentOnly } from '../../apps/http/src/configuration/settings.ts'
import { markdownTable } from './markdown-table.ts'

/** docs/reference/configuration.md, generated from the table of settings. */
export function configurationPage(): string {
  const groups = Map.groupBy(describeSettings(), ({ group }) => group)
  const sections = [...groups].map(([group, settings]) => `## ${group}\n\n${tableOf(settings)}`)
  return `${[introduction, ...sections, environmentSection(), fileSection].join('\n\n')}\n`
}

const introduction = `# Configuration

<!-- Made by "npx -y pnpm@12 docs:reference" from apps/http/src/configuration/settings.ts: change it there. -->

Each setting is an environment variable, or stands under the same name [in a JSON file](#the-file); the environment wins. None of
them has to be given, but a key for tokens in production. Settings that exclude each other: of the four stores (\`SQLITE_FILE\`,
\`MONGODB_URI\`, \`POSTGRESQL_URI\`, \`STORE\`) one can be given, and of the three keys (\`JWT_SECRET\`, \`JWT_PUBLIC_KEY\`, \`JWT_JWKS_URL\`) one.

Every fault stops the start. Each has one line on standard error that names the setting and where it was given, and never shows its
value. Unknown keys in the file are faults. Unknown variables that begin with \`JWT_\`, \`RATE_LIMIT_\` or \`PERMISSIONS_\` are ignored with a
warning; other unknown variables are ignored.`

const fileSection = `## The file

\`CONFIG_FILE\` names a JSON file of settings. Numbers may stand there as numbers. The settings of permissions may also stand in a
section of their own:

\`\`\`json
{
  "SQLITE_FILE": "/var/lib/auctions/auctions.sqlite",
  "RATE_LIMIT_MAX": 1000,
  "Permissions": { "Auctions.Create": "shop:sell", "Bids.Create": "shop:bid" }
}
\`\`\`

An unknown name in the file stops the start, too.`

const tableOf = (settings: readonly SettingDescription[]): string =>
  markdownTable(['setting', 'value', 'default', 'what it does'], settings.map(rowOf))

function rowOf(setting: SettingDescription): readonly string[] {
  const { name, values, byDefault, description, isSecret } = setting
  return [`\`${name}\``, values, byDefault, isSecret ? `${description} Keep it secret.` : description]
}

const environmentSection = (): string => `## In the environment only

${markdownTable(
  ['variable', 'what it does'],
  Object.entries(environmentOnly).map(([name, description]) => [`\`${name}\``, description]),
)}`
