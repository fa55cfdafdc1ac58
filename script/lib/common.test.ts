import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'

/*
 * Tests the scripts with a fake Node and npm in an empty clone: their downloads, their output, and the files and processes that remain after a stop.
 */

let folder: string
let clone: string
let env: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prospect scripts-'))
  clone = join(folder, 'a clone')
  env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, XDG_CACHE_HOME: join(folder, 'cache') }
  for (const path of ['script', '.node-version', 'package-lock.json'])
    await cp(path, join(clone, path), { recursive: true })
  await program(
    join(folder, 'bin/node'),
    'case $* in --print*) echo 20 ;; --version) echo v20.1.0 ;; *) echo "an old Node was started" ;; esac',
  )
})
afterEach(() => rm(folder, { recursive: true }))

async function program(path: string, commands: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/usr/bin/env bash\n${commands}\n`)
  await chmod(path, 0o755)
}

/** Creates an npm that runs the given commands and then installs a Node of the required version. */
const npm = (commands = '') =>
  program(
    join(folder, 'bin/npm'),
    `echo "$*" >>"${folder}/npm"; echo 'npm says something'
${commands}
if [[ $* == *--prefix* ]]; then
  mkdir -p node_modules/.bin
  printf '#!/usr/bin/env bash\ncase $* in --print*) echo 26 ;; --version) echo v26.0.0 ;; *) echo "the answer" ;; esac\n' >node_modules/.bin/node
  chmod +x node_modules/.bin/node
else
  mkdir -p node_modules/one
  echo '{}' >node_modules/one/package.json
  printf '    "node_modules/one": {\\n' >node_modules/.package-lock.json
fi`,
  )

function script(name: string, more: Record<string, string> = {}) {
  const child = spawn(join(clone, 'script', name), [], {
    env: { ...env, ...more },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  )
  return { child, ended }
}

const asked = async () => (await readFile(join(folder, 'npm'), 'utf8')).trim().split('\n')

test('standard output contains only the output of the command, also when Node and packages are fetched first', async () => {
  await npm()
  expect(await script('cli').ended).toMatchObject({ code: 0, stdout: 'the answer\n' })
  expect(await asked()).toEqual([expect.stringMatching(/^install .*node@26/), expect.stringMatching(/^ci /)])
  // The second run finds everything installed.
  expect(await script('cli').ended).toEqual({ code: 0, stdout: 'the answer\n', stderr: '' })
  expect(await asked()).toHaveLength(2)
})

test('a missing package is installed again', async () => {
  await npm()
  await script('cli').ended
  await rm(join(clone, 'node_modules/one'), { recursive: true })
  expect(await script('cli').ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Installing') })
  expect(await script('cli').ended).toEqual({ code: 0, stdout: 'the answer\n', stderr: '' })
})

test('a failed download leaves nothing, and is repeated by the next run', async () => {
  await npm('exit 9')
  const failed = await script('cli').ended
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('could not be fetched') })
  expect(await readdir(join(folder, 'cache/prospect-platform')).catch(() => [])).toEqual([])
  await npm('[[ $1 != ci ]] || { mkdir -p node_modules/half; exit 9; }')
  expect((await script('cli').ended).stderr).toContain('The packages could not be installed')
  await npm()
  expect(await script('cli').ended).toMatchObject({ code: 0, stdout: 'the answer\n' })
  expect(await asked()).toHaveLength(4)
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  '%s to the script alone stops what it fetches with, and all that this has started',
  async (signal, code) => {
    // Let npm start a child process, as package scripts do. If it survived, it would keep the pipe open and the test would not end.
    await npm(`bash -c "trap 'exit 1' INT TERM; echo 'is fetching' >&2; while :; do sleep 0.1; done" || exit`)
    const { child, ended } = script('cli')
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk) => String(chunk).includes('is fetching') && resolve())
      child.once('close', () => resolve())
    })
    child.kill(signal)
    expect(await ended).toMatchObject({ code, stderr: expect.stringContaining('Stopped.') })
    expect(await readdir(join(folder, 'cache/prospect-platform'))).toEqual([])
  },
)

/** Creates an npm that waits for the file `go` while it installs packages. */
const slowNpm = () =>
  npm(`[[ $1 != ci ]] || { echo $$ >"${folder}/installing"; until [[ -e "${folder}/go" ]]; do sleep 0.1; done; }`)

const said = async ({ child }: ReturnType<typeof script>, words: string) => {
  let all = ''
  for await (const chunk of on(child.stderr, 'data', { close: ['close'] })) {
    all += chunk
    if (all.includes(words)) return
  }
  throw new Error(`It ended before it said "${words}":\n${all}`)
}

test('of two scripts that need the packages one installs them, and the other prints that it waits', async () => {
  await slowNpm()
  const first = script('cli')
  await said(first, 'Installing the packages')
  const second = script('cli')
  await said(second, `Waiting for another script that fetches, installs or builds in ${clone}.`)
  await writeFile(join(folder, 'go'), '')
  expect(await first.ended).toMatchObject({ code: 0, stdout: 'the answer\n' })
  expect(await second.ended).toMatchObject({ code: 0, stdout: 'the answer\n' })
  expect((await asked()).filter((words) => words.startsWith('ci '))).toHaveLength(1)
})

test('the next script waits for children of a killed one, and no longer', async () => {
  await slowNpm()
  const killed = script('cli')
  await said(killed, 'Installing the packages')
  await expect.poll(() => existsSync(join(folder, 'installing'))).toBe(true)
  killed.child.kill('SIGKILL')
  const next = script('cli')
  await said(next, 'Waiting for another script')
  await writeFile(join(folder, 'go'), '')
  // The install is repeated, because the killed one may be incomplete.
  expect(await next.ended).toMatchObject({ code: 0, stdout: 'the answer\n' })
  expect((await asked()).filter((words) => words.startsWith('ci '))).toHaveLength(2)
  await killed.ended
})

test.each(['#', '?'])('a path with %s is named before anything is fetched for a build that cannot be', async (sign) => {
  await npm()
  const other = join(folder, `a${sign}b`)
  await rename(clone, other)
  clone = other
  const { code, stdout, stderr } = await script('start').ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The web app cannot be built in .*: a path with # or \? leads.*Move the clone.*\n$/)
  expect(existsSync(join(folder, 'npm'))).toBe(false)
})

test('a missing HOME and a CDPATH change nothing', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await cp(join(clone, 'script'), join(elsewhere, 'script'), { recursive: true })
  const commands = [
    'unset HOME XDG_CACHE_HOME; source script/lib/common.sh',
    'node_is_new_enough() { [[ $1 == /* ]]; }',
    'use_node; pwd; echo "$PATH" | cut -d : -f 1',
  ]
  const child = spawn('bash', ['-c', commands.join('\n')], { cwd: clone, env: { ...env, CDPATH: elsewhere } })
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(said).toMatch(new RegExp(`^${clone}\n/.*/\\.cache/prospect-platform/node-26/node_modules/\\.bin\n$`))
})

test('a failed stage is the last that runs, and fails the check', async () => {
  const commands = [
    'source script/lib/common.sh; source script/lib/stages.sh',
    'good() { echo "in a good one"; }; bad() { false; echo "behind it"; return 3; }',
    'stage one good; stage two bad; stage three good; finish',
  ]
  const child = spawn('bash', ['-c', commands.join('\n')])
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(code).toBe(1)
  expect(said.match(/in a good one/g)).toHaveLength(1)
  expect(said).toMatch(/one +passed.*\ntwo +failed.*\nthree +not run/)
  expect(said.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
})
