import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/*
 * Tests which browser the stages of script/test use on machines with different browsers. The browsers are stubs, and a stub of npx reads the
 * configuration of the test program instead of starting it.
 */

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prospect-chromium-'))
  await program(
    'bin/npx',
    `exec node --input-type=module --eval "
      const { default: read } = await import('$PWD/$1.config.ts')
      const components = read.test?.projects.find(({ test }) => test.name === 'components').test.browser.provider.options
      console.log('$1 uses', (components ?? read.use).launchOptions.executablePath)"`,
  )
})
afterEach(() => rm(folder, { recursive: true }))

async function program(path: string, commands: string): Promise<void> {
  const file = join(folder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, `#!/usr/bin/env bash\n${commands}\n`)
  await chmod(file, 0o755)
}

const browser = (path: string) => program(path, `echo "${path} ran"`)

/** Runs the stages of script/test that concern the browser. `setUp`: commands that run before, for example a stub of the package installation. */
function stages({ setUp = '', env = {} }: { setUp?: string; env?: Record<string, string> } = {}) {
  const { CHROMIUM_PATH: _, ...inherited } = process.env
  const commands = [
    'source script/lib/common.sh; source script/lib/stages.sh; source script/lib/debian-packages.sh; source script/lib/chromium.sh',
    'install_debian_packages() { echo "would install $1"; return 1; }',
    setUp,
    'stage chromium bring_chromium',
    'stage components component_tests',
    'stage browser browser_tests',
    `printf '%s\\n' "\${stage_lines[@]}"`,
  ]
  const { stdout, stderr } = spawnSync('bash', ['-c', commands.join('\n')], {
    encoding: 'utf8',
    env: { ...inherited, PATH: `${folder}/bin:${process.env.PATH}`, CHROMIUM_FOLDER: join(folder, 'usr'), ...env },
  })
  return { stdout, stderr }
}

const uses = (path: string) => [`vitest uses ${join(folder, path)}\n`, `playwright uses ${join(folder, path)}\n`]

test.each([
  ['only the full browser', ['usr/chromium'], 'usr/chromium'],
  ['both browsers', ['usr/chromium', 'usr/chromium-headless-shell'], 'usr/chromium-headless-shell'],
])('on a machine with %s all stages use the same one', async (_, there, used) => {
  for (const path of there) await browser(path)
  const { stdout } = stages()
  expect(stdout).toContain(`${used} ran`)
  for (const line of uses(used)) expect(stdout).toContain(line)
  expect(stdout).not.toContain('would install')
})

test('CHROMIUM_PATH precedes the browsers of Debian', async () => {
  await browser('usr/chromium-headless-shell')
  await browser('my own/browser')
  const { stdout } = stages({ env: { CHROMIUM_PATH: join(folder, 'my own/browser') } })
  expect(stdout).toContain('my own/browser ran')
  for (const line of uses('my own/browser')) expect(stdout).toContain(line)
})

test('a browser that the first stage installs is used by the later ones, also if Debian has no headless engine', async () => {
  await browser('package/chromium')
  const { stdout } = stages({
    setUp: `install_debian_packages() { [[ $1 == chromium ]] && mkdir -p "$CHROMIUM_FOLDER" && cp '${folder}/package/chromium' "$CHROMIUM_FOLDER"; }`,
  })
  for (const line of uses('usr/chromium')) expect(stdout).toContain(line)
})

test('a missing browser stops the run with the names of the packages, or with the path that CHROMIUM_PATH names', async () => {
  const none = stages()
  expect(none.stderr).toContain('apt-get install chromium-headless-shell, or chromium')
  expect(none.stdout).toMatch(/chromium +failed.*\ncomponents +not run\nbrowser +not run/)
  await browser('usr/chromium')
  const wrong = stages({ env: { CHROMIUM_PATH: '/nowhere/chromium' } })
  expect(wrong.stderr).toContain('CHROMIUM_PATH is /nowhere/chromium, and no program is there.')
  expect(wrong.stdout).toMatch(/components +not run/)
})
