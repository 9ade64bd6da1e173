#!/bin/sh
# Builds the service, with only what it needs to run, into a folder that is empty or doesn't exist. Used by the Dockerfile, and for
# deployments without a container.
set -eu
target=$1
cd "$(dirname "$0")/../.."

# The version of pnpm that package.json pins.
pnpm() { npx -y "$(node -p 'require("./package.json").packageManager')" "$@"; }

pnpm install --frozen-lockfile
pnpm run build
pnpm --filter @auction/http deploy --prod "$target"

# Remove TypeScript and source maps, the sources of our packages, files that only pnpm reads, and the tests and documentation of
# dependencies. Licenses stay.
cd "$target"
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) ! -iname 'license*' -exec rm {} +
for package in node_modules/@auction/*; do rm -rf "$package/src"; done
find node_modules -depth -type d \( -name test -o -name tests -o -name docs -o -name 'example*' -o -name 'benchmark*' \
  -o -name integration -o -name .github \) -exec rm -r {} +
rm -r pnpm-lock.yaml pnpm-workspace.yaml node_modules/.modules.yaml node_modules/.pnpm-workspace-state-v1.json \
  node_modules/.pnpm/lock.yaml node_modules/.bin
