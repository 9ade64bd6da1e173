// openapi-typescript uses the compiler's JavaScript API, which TypeScript 7 does not have yet. It asks for a typescript of whoever
// installs it, so it gets one of its own here.
const readPackage = (manifest) => {
  if (manifest.name === 'openapi-typescript') {
    delete manifest.peerDependencies.typescript
    manifest.dependencies.typescript = '^6.0.0'
  }
  return manifest
}

module.exports = { hooks: { readPackage } }
