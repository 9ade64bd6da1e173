import { describeSettings, environmentOnly } from '../configuration/settings.ts'
import { defaultLifetime } from './token.ts'

export const helpText = (): string => `The auction service: create auctions and place bids over HTTP.

Usage:
  start                  run the service until SIGTERM or SIGINT
  start --check          check the settings, and that the store and the key set respond, print the result, and exit
                         with code 0, or 1 if one of them is wrong
  start --upgrade        upgrade MongoDB data of format 3, while no server uses it, and exit with code 0
  start --replay <what>  post events to webhook endpoints again, and exit with code 0 if all were received
  start --verify [ids]   let this version decide all recorded entries again, print what differs, and exit with code 0 if
                         nothing does
  start --extend <time>  extend all auctions that were to end in a time, print what was done, and exit with code 0 if all
                         are extended; the same command extends each once
  start token [options]  print a token to try the service, signed with JWT_SECRET
  start --help, -h       print this help
  start --version, -v    print the version
"start" is "npx -y pnpm@12 start" in a checkout, and "node dist/main.js" in a deployment.

Options of --replay:
  <what>                   the id of an auction; a time, for the events since then; or two times separated by a slash
  --webhook <name>         the one endpoint to post to; the default is all

Options of --verify:
  [ids]                    ids of auctions, separated by spaces or commas; the default is all auctions,
                           after all registers of bidders
  --after <id>             continue after this auction, as an interrupted run prints it

Options of --extend:
  <time>                   by how much: a number followed by s, m, h or d, such as 15m, up to 30d
  --ending <times>         when they were to end: two times in UTC, such as 2026-11-26T18:00Z..18:30Z, both included
  --zone <name>            the zone of these times, then without Z, such as Europe/Vienna
  --dry-run                change nothing, and print what would be done
  --reason <text>          the reason, which all readers of the auctions see; 1 to 500 characters
  --editor <name>          who extends, for the ledger; the default is operator

Options of token:
  --subject <name>         the claim "sub"; the default is "trial"
  --permissions <names>    permissions, separated by commas, or "none"; the default is all except those of staff,
                           and, without JWT_SUBJECT_CLAIM, Auctions.Update, which needs it
  --user <id>              the value of the claim that JWT_SUBJECT_CLAIM names; the default is 1
  --expires-in <time>      a number followed by s, m, h or d, up to 30d; the default is ${defaultLifetime}

Settings are environment variables, or keys in the JSON file that CONFIG_FILE names. These are the settings and their defaults:

${settingsHelp()}`

function settingsHelp(): string {
  const groups = Map.groupBy(describeSettings(), ({ group }) => group)
  const sections = [...groups].map(([group, settings]) => [
    group,
    ...settings.map(({ name, byDefault, description }) => entry(`${name} (${byDefault})`, description)),
  ])
  const others = Object.entries(environmentOnly).map(([name, description]) => entry(name, description))
  const all = [...sections, ['Environment variables only', ...others]].map((lines) => lines.join('\n'))
  return all.join('\n\n').replaceAll('`', '')
}

/** The description in lines of at most 94 characters. */
const entry = (head: string, description: string): string =>
  `  ${head}\n${description.replaceAll(/(.{1,94})( |$)/g, '      $1\n')}`.trimEnd()
