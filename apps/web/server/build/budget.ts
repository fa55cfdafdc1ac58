/**
 * Fails the build if the first load exceeds its budget: all JavaScript needed to show the list of prospects and all styles, compressed with gzip
 * (brotli is smaller). Also fails if the included styles of Mantine do not match the components in the build.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { firstLoadEntries, firstLoadFiles, readManifest } from './first-load.ts'
import { checkLibraryStyles } from './library-styles.ts'

const maxScriptKilobytes = 242
const maxStyleKilobytes = 36
const dist = join(import.meta.dirname, '..', '..', 'dist')
const manifest = readManifest(readFileSync(join(dist, 'manifest.json'), 'utf8'))
const assets = readdirSync(join(dist, 'assets'))
const scripts = firstLoadFiles(manifest, firstLoadEntries)
// One style sheet contains the styles of every screen. Only the calendar's styles load on first use.
const styles = assets.filter((file) => /^style-.*\.css$/.test(file)).map((file) => `assets/${file}`)

checkBudget('JavaScript', scripts, maxScriptKilobytes)
checkBudget('CSS', styles, maxStyleKilobytes)
if (/@media[^{]*\(--/.test(textOf(styles))) fail('The CSS has a media query by name that css.ts did not replace.')

const { missing, unused } = checkLibraryStyles({
  script: textOf(assets.filter((file) => file.endsWith('.js')).map((file) => `assets/${file}`)),
  styles: textOf(styles),
  sheets: librarySheets(),
})
if (missing.length > 0) fail(`app/mantine.css lacks the styles of ${missing.join(', ')}, which the app uses.`)
if (unused.length > 0) fail(`app/mantine.css has the styles of ${unused.join(', ')}, which the app does not use.`)

function checkBudget(what: string, files: string[], maxKilobytes: number): void {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
  const kilobytes = bytes / 1000
  console.log(`First load: ${kilobytes.toFixed(1)} kB of ${what} in ${files.length} files (budget ${maxKilobytes} kB)`)
  if (kilobytes > maxKilobytes) fail(`The ${what} is over its budget by ${(kilobytes - maxKilobytes).toFixed(1)} kB.`)
}

function textOf(files: string[]): string {
  return files.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n')
}

function librarySheets(): Map<string, string> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles/global.layer.css')))
  const names = readdirSync(folder).filter((file) => file.endsWith('.layer.css'))
  return new Map(names.map((file) => [file.replace('.layer.css', ''), readFileSync(join(folder, file), 'utf8')]))
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
