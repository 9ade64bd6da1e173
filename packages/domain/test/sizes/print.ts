import { inKilobytes, measureSizes } from './measure.ts'

for (const { what, minifiedBytes, gzippedBytes } of await measureSizes()) {
  const [minified, gzipped] = [minifiedBytes, gzippedBytes].map((bytes) => inKilobytes(bytes).padStart(5))
  process.stdout.write(`${gzipped} kB gzipped, ${minified} kB minified: ${what.replaceAll('`', '')}\n`)
}
