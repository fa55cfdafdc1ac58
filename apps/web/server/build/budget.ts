/**
 * Fails the build when the first load grows past its budget: all JavaScript that the browser fetches to show the
 * prospects list, compressed with gzip (brotli is smaller still).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { firstLoadEntries, firstLoadFiles, readManifest } from './first-load.ts'

const maxKilobytes = 250
const dist = join(import.meta.dirname, '..', '..', 'dist')
const manifest = readManifest(readFileSync(join(dist, 'manifest.json'), 'utf8'))
const files = firstLoadFiles(manifest, firstLoadEntries)
const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
const kilobytes = bytes / 1000

console.log(`First load: ${kilobytes.toFixed(1)} kB of JavaScript in ${files.length} files (budget ${maxKilobytes} kB)`)
if (kilobytes > maxKilobytes) {
  console.error(`The first load is over its budget by ${(kilobytes - maxKilobytes).toFixed(1)} kB.`)
  process.exit(1)
}
