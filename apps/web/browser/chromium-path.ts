import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Debian's browsers in the order of preference. The headless engine comes first, because the tests take two thirds of the time in it.
 */
const preferred = 'chromium-headless-shell'
const browsers = [preferred, 'chromium']

/**
 * Returns the path of the browser of all browser and component tests: CHROMIUM_PATH, otherwise the first of Debian's browsers that exists. If none
 * exists, returns the preferred one, so that the error of a start names it. Each process looks again, because a stage of script/test cannot pass a
 * variable to the next. Tests set CHROMIUM_FOLDER.
 */
export function chromiumPath(): string {
  const { CHROMIUM_PATH, CHROMIUM_FOLDER } = process.env
  const pathOf = (name: string) => join(CHROMIUM_FOLDER || '/usr/bin', name)
  return CHROMIUM_PATH || pathOf(browsers.find((name) => existsSync(pathOf(name))) ?? preferred)
}

if (import.meta.main) console.log(chromiumPath())
