import { settingsHelp } from './settings-help.ts'
import { defaultLifetime } from './token.ts'

/** What `--help` prints. */
export function helpText(): string {
  return `The auction service: create auctions and place bids over HTTP.

Usage:
  start                  serve, until SIGTERM or SIGINT ends it
  start --check          read the configuration, try the store and the keys, say what is found, and end: with code 0 if it could serve
  start token [options]  print a token for trying out, signed with JWT_SECRET
  start --help, -h       print this
  start --version, -v    print the version
"start" stands for "pnpm start" in a checkout, and for "node dist/main.js" where the service is deployed.

Options of token:
  --subject <name>         whose token it is (claim "sub"); "trial" if not given
  --permissions <names>    with commas, as in Auctions.Create,Bids.Create; or "none"; all but Auctions.Reserve.Read if not given
  --user <id>              the value of the claim that JWT_SUBJECT_CLAIM names; 1 if not given
  --expires-in <time>      a number of s, m, h or d, up to 30d; ${defaultLifetime} if not given

Settings are environment variables, or stand by the same names in the JSON file that CONFIG_FILE names. With their defaults:

${settingsHelp()}`
}
