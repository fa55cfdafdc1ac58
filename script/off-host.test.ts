import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newIdentity } from '../apps/api/src/rooms/backup/backup.ts'
import { freePort } from './lib/free-port.ts'
import { openLogFile } from './lib/log-file.ts'
import { type ManagedProcess, startProcess, stopProcess } from './lib/managed-process.ts'

/*
 * Copies backups with restic and rclone to a folder and to an S3-compatible server on loopback, and restores them from there. script/test installs both
 * programs; tests of a program that is missing are skipped. restic reaches the server through rclone.
 */

const isThere = (program: string) => spawnSync(program, ['version']).status === 0
const [hasRestic, hasRclone] = [isThere('restic'), isThere('rclone')]

const KEY = 'S3RVER'
const PASSWORD = 'correct horse battery staple'
const home = mkdtempSync(join(tmpdir(), 'prospect-off-host-test-'))
const folderOf = (name: string) => join(home, name)
const scratch = folderOf('scratch')
const shelf = folderOf('data/backups')
const identity = folderOf('identity')
let env: NodeJS.ProcessEnv
let s3: ManagedProcess | undefined

const script = (args: string[], changed: NodeJS.ProcessEnv = {}) =>
  spawnSync('script/off-host', args, { env: { ...env, ...changed }, encoding: 'utf8' })
const cli = (args: string[]) => spawnSync('script/cli', args, { env, encoding: 'utf8' })
const newestOnShelf = () =>
  readdirSync(shelf)
    .filter((name) => name.startsWith('backup-'))
    .sort()
    .at(-1) ?? ''
const lastCopy = () => {
  const file = join(shelf, 'last-copy.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
const forgetCopies = () => rmSync(join(shelf, 'last-copy.json'), { force: true })

beforeAll(async () => {
  mkdirSync(scratch)
  const { PATH, XDG_CACHE_HOME, HOME, NODE_COMPILE_CACHE } = process.env
  const port = await freePort()
  const pair = await newIdentity()
  writeFileSync(identity, pair.identity)
  writeFileSync(folderOf('password'), PASSWORD)
  env = {
    PATH,
    // The cache of Node is in the home of the caller; restic and rclone must not read settings there.
    HOME: home,
    XDG_CACHE_HOME: XDG_CACHE_HOME ?? join(HOME ?? '', '.cache'),
    NODE_COMPILE_CACHE,
    TMPDIR: scratch,
    DATA_DIR: folderOf('data'),
    BACKUP_RECIPIENTS: pair.recipient,
    RESTIC_PASSWORD_FILE: folderOf('password'),
    RESTIC_CACHE_DIR: folderOf('cache'),
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
    RCLONE_CONFIG: folderOf('rclone.conf'),
    RCLONE_CONFIG_OFF_TYPE: 's3',
    RCLONE_CONFIG_OFF_PROVIDER: 'Other',
    RCLONE_CONFIG_OFF_ENV_AUTH: 'true',
    RCLONE_CONFIG_OFF_ENDPOINT: `http://127.0.0.1:${port}`,
  }
  writeFileSync(folderOf('rclone.conf'), '')
  mkdirSync(folderOf('s3'))
  s3 = startProcess({
    name: 's3rver',
    args: ['script/lib/s3-server.mjs', String(port), folderOf('s3')],
    env: { PATH },
    output: openLogFile(folderOf('s3.log')),
  })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(url), { timeout: 30_000 })
  expect(cli(['tenant', 'create', '--name', 'Cape desk']).status).toBe(0)
  expect(cli(['backup']).status).toBe(0)
}, 240_000)

afterAll(async () => {
  if (s3 !== undefined) await stopProcess(s3)
  rmSync(home, { recursive: true, force: true })
})

/** Expects that the run failed with this sentence, recorded nothing, left no scratch files and told no secret. */
function expectFailure({ status, stdout, stderr }: SpawnSyncReturns<string>, sentence: string | RegExp) {
  expect({ failed: status !== 0, stderr }).toEqual({ failed: true, stderr: expect.stringMatching(sentence) })
  expect(stdout).toBe('')
  expect(stdout + stderr).not.toContain(PASSWORD)
  expect(readdirSync(scratch)).toEqual([])
}

const restic = (name: string) => ({ RESTIC_REPOSITORY: folderOf(name) })
const initRepository = (changed: NodeJS.ProcessEnv) =>
  expect(spawnSync('restic', ['init', '--quiet'], { env: { ...env, ...changed } }).status).toBe(0)

describe('a copy is recorded, and a restore from it is rehearsed:', () => {
  const destinations: [program: string, where: string, settings: NodeJS.ProcessEnv][] = [
    ['restic', 'a folder', { RESTIC_REPOSITORY: folderOf('restic') }],
    ['restic', 'an S3-compatible server', { RESTIC_REPOSITORY: 'rclone:off:backups/restic' }],
    ['rclone', 'a folder', { OFF_HOST_REMOTE: folderOf('rclone') }],
    ['rclone', 'an S3-compatible server', { OFF_HOST_REMOTE: 'off:backups/rclone/' }],
  ]
  test.for(destinations)('%s to %s', { timeout: 180_000 }, ([program, , destination], { skip }) => {
    skip(!hasRclone, 'rclone is not installed')
    skip(program === 'restic' && !hasRestic, 'restic is not installed')
    forgetCopies()
    if (program === 'restic') initRepository(destination)
    const copied = script(['copy', program], destination)
    expect({ status: copied.status, stderr: copied.stderr }).toEqual({ status: 0, stderr: '' })
    expect(copied.stdout).toBe(`${newestOnShelf()}\n`)
    expect(`backup-${lastCopy().backup}`).toBe(newestOnShelf())
    expect(lastCopy().by).toBe(program)
    // A drill runs on another machine, which has the secret key and no store.
    const elsewhere = { DATA_DIR: folderOf('elsewhere') }
    const drilled = script(['drill', program, identity], { ...destination, ...elsewhere })
    expect({ status: drilled.status, stderr: drilled.status === 0 ? '' : drilled.stderr }).toEqual({
      status: 0,
      stderr: '',
    })
    expect(JSON.parse(drilled.stdout)).toMatchObject({ backup: lastCopy().backup, tenants: 1, brokenChains: 0 })
    expect(readdirSync(scratch)).toEqual([])
  })
})

describe.skipIf(!hasRestic)('restic', () => {
  test('a wrong password', () => {
    const repository = restic('wrong-password')
    initRepository(repository)
    forgetCopies()
    writeFileSync(folderOf('wrong'), 'another password')
    const wrong = { ...repository, RESTIC_PASSWORD_FILE: folderOf('wrong') }
    expectFailure(script(['copy', 'restic'], wrong), /wrong password/)
    expectFailure(script(['drill', 'restic', identity], wrong), /wrong password/)
    expect(lastCopy()).toBeUndefined()
  }, 120_000)

  test('a repository that another program has locked', async () => {
    const repository = restic('locked')
    initRepository(repository)
    expect(script(['copy', 'restic'], repository).status).toBe(0)
    forgetCopies()
    // A check of all data at 1 KiB/s keeps its exclusive lock during the test.
    const slowCheck = ['check', '--read-data', '--no-cache', '--limit-download', '1']
    const check = spawn('restic', slowCheck, { env: { ...env, ...repository }, stdio: 'ignore' })
    const locks = join(folderOf('locked'), 'locks')
    while (readdirSync(locks).length === 0 && check.exitCode === null) await delay(20)
    try {
      expectFailure(script(['copy', 'restic'], repository), /already locked/)
      expect(lastCopy()).toBeUndefined()
    } finally {
      check.kill('SIGKILL')
      await once(check, 'exit')
    }
  }, 120_000)

  test('an empty repository, and one that lost a part of its data', () => {
    const repository = restic('damaged')
    initRepository(repository)
    expectFailure(script(['drill', 'restic', identity], repository), /no snapshot/)
    expect(script(['copy', 'restic'], repository).status).toBe(0)
    const data = join(folderOf('damaged'), 'data')
    const packs = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const largest = packs
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted((a, b) => statSync(b).size - statSync(a).size)[0]
    rmSync(folderOf('cache'), { recursive: true })
    truncateSync(largest ?? '', 1_000)
    expectFailure(script(['drill', 'restic', identity], repository), /./)
  }, 120_000)
})

describe.skipIf(!hasRclone)('rclone', () => {
  const remote = (name: string) => ({ OFF_HOST_REMOTE: folderOf(name) })
  const files = () => join(shelf, newestOnShelf(), 'prospect.sqlite.zst.age')

  test('a wrong key of the server', () => {
    forgetCopies()
    const wrong = { OFF_HOST_REMOTE: 'off:backups/wrong', AWS_SECRET_ACCESS_KEY: 'not the key' }
    const failed = script(['copy', 'rclone'], wrong)
    expectFailure(failed, /SignatureDoesNotMatch/)
    expect(failed.stderr).not.toContain('not the key')
    expect(lastCopy()).toBeUndefined()
  }, 120_000)

  test('a copy that was truncated is found by the drill, and repaired by the next copy', () => {
    const destination = remote('truncated')
    expect(script(['copy', 'rclone'], destination).status).toBe(0)
    truncateSync(join(folderOf('truncated'), newestOnShelf(), basename(files())), 100)
    expectFailure(script(['drill', 'rclone', identity], destination), /has 100 bytes instead of/)
    expect(script(['copy', 'rclone'], destination).status).toBe(0)
    expect(script(['drill', 'rclone', identity], destination).status).toBe(0)
  }, 180_000)

  test('a copy that is killed midway is not recorded and not restored; the next run completes it', async () => {
    const destination = remote('killed')
    forgetCopies()
    const slow = { ...env, ...destination, RCLONE_BWLIMIT: '8k', RCLONE_BUFFER_SIZE: '0' }
    const copy = spawn('script/off-host', ['copy', 'rclone'], { env: slow, detached: true, stdio: 'ignore' })
    const ended = once(copy, 'exit')
    const begun = join(folderOf('killed'), newestOnShelf(), basename(files()))
    while (!existsSync(begun) && copy.exitCode === null) await delay(20)
    process.kill(-(copy.pid ?? 0), 'SIGKILL')
    await ended
    expect(statSync(begun).size).toBeLessThan(statSync(files()).size)
    expect(lastCopy()).toBeUndefined()
    expectFailure(script(['drill', 'rclone', identity], destination), /There is no complete backup/)
    expect(script(['copy', 'rclone'], destination).status).toBe(0)
    expect(`backup-${lastCopy().backup}`).toBe(newestOnShelf())
    expect(script(['drill', 'rclone', identity], destination).status).toBe(0)
  }, 240_000)

  test('a full disk, of the copy and of the drill', () => {
    const destination = remote('full')
    const limited = (args: string[], changed: NodeJS.ProcessEnv) =>
      spawnSync('prlimit', ['--fsize=4096', 'script/off-host', ...args], {
        env: { ...env, ...changed, NODE_COMPILE_CACHE: '' },
        encoding: 'utf8',
      })
    forgetCopies()
    expectFailure(limited(['copy', 'rclone'], destination), /file too large/)
    expect(lastCopy()).toBeUndefined()
    expect(script(['copy', 'rclone'], destination).status).toBe(0)
    expectFailure(limited(['drill', 'rclone', identity], destination), /file too large/)
  }, 180_000)

  test('a backup that is damaged on the host is not copied', () => {
    expect(cli(['backup']).status).toBe(0)
    forgetCopies()
    truncateSync(files(), 100)
    try {
      expectFailure(script(['copy', 'rclone'], remote('source')), /has 100 bytes instead of/)
      expect(existsSync(folderOf('source'))).toBe(false)
      expect(lastCopy()).toBeUndefined()
    } finally {
      rmSync(join(shelf, newestOnShelf()), { recursive: true })
    }
  }, 120_000)
})

test.each([
  [['copy', 'restic'], {}, 'Set RESTIC_REPOSITORY'],
  [['copy', 'rclone'], { OFF_HOST_REMOTE: 'relative/folder' }, 'Set OFF_HOST_REMOTE'],
  [['copy', 'rsync'], {}, 'neither restic nor rclone'],
  [['drill', 'restic'], {}, 'drill restic IDENTITY'],
  [[], {}, 'copy restic, copy rclone'],
])('%j is refused with a sentence', (args, changed: NodeJS.ProcessEnv, sentence) => {
  const { status, stderr } = script(args, changed)
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(sentence) })
})
