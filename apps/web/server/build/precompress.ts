/** Compresses every built file once at the highest level, so that no request has to. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const compressible = /\.(js|css|svg|json)$/
const folder = join(import.meta.dirname, '..', '..', 'dist', 'assets')

for (const name of readdirSync(folder)) {
  if (!compressible.test(name)) continue
  const file = join(folder, name)
  const content = readFileSync(file)
  const brotli = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  const gzip = gzipSync(content, { level: 9 })
  // A file that does not get smaller is served uncompressed.
  if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli)
  if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip)
}
