#!/bin/sh
# Builds what the container image runs, and nothing else, into a folder that is empty or not there. The Dockerfile calls it, and so
# does the test of what it builds.
set -eu
target=$1
cd "$(dirname "$0")/../.."

# The version of pnpm that package.json pins.
pnpm() { npx -y "$(node -p 'require("./package.json").packageManager')" "$@"; }

pnpm install --frozen-lockfile
pnpm run build
pnpm --filter @auction/http deploy --prod "$target"

# Left out: types and source maps, the sources and contract suites that the packages publish, and what only pnpm reads.
cd "$target"
find . \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -exec rm {} +
for package in node_modules/@auction/*; do rm -r "$package/src" "$package/dist/testing" 2>/dev/null || true; done
rm -r pnpm-lock.yaml pnpm-workspace.yaml node_modules/.modules.yaml node_modules/.pnpm-workspace-state-v1.json \
  node_modules/.pnpm/lock.yaml node_modules/.bin
