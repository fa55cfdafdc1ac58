import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentity } from '../apps/api/src/rooms/backup/backup.ts'

/* Tests backups of a store without a stack; script/stack tests those of the stack. */

const folder = mkdtempSync(join(tmpdir(), 'prospect-backup-test-'))
let env: NodeJS.ProcessEnv

const script = (name: string, args: string[], changed: NodeJS.ProcessEnv = {}) =>
  spawnSync(`script/${name}`, args, { env: { ...env, ...changed }, encoding: 'utf8' })

beforeAll(async () => {
  // Use a fake docker, so that a stack on this machine has no effect.
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'docker'), '#!/bin/sh\nexit 1\n')
  chmodSync(join(programs, 'docker'), 0o755)
  const { PATH, HOME, XDG_CACHE_HOME, NODE_COMPILE_CACHE } = process.env
  const { recipient } = await newIdentity()
  env = { PATH: `${programs}:${PATH}`, HOME, NODE_COMPILE_CACHE, DATA_DIR: join(folder, 'data') }
  env.BACKUP_RECIPIENTS = recipient
  if (XDG_CACHE_HOME) env.XDG_CACHE_HOME = XDG_CACHE_HOME
  expect(script('cli', ['tenant', 'create', '--name', 'Cape desk']).status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a copy is complete in the requested folder, and its path is printed', () => {
  const to = join(folder, 'another disk')
  const { status, stdout, stderr } = script('backup', ['--to', to])
  const [backup = '', copy = ''] = stdout.trim().split('\n')
  expect({ status, copy }).toEqual({ status: 0, copy: join(to, basename(backup)) })
  expect(readdirSync(to)).toEqual([basename(backup)])
  expect(readdirSync(copy).sort()).toEqual(readdirSync(backup).sort())
  // The folder is on the same disk, as if no other disk were mounted.
  expect(stderr).toContain(`${to} is on the disk of ${backup}: is the other disk mounted?`)
})

test('a copy on another disk is recorded, and one on the same disk is not', () => {
  const lastCopy = join(folder, 'data/backups/last-copy.json')
  expect(existsSync(lastCopy)).toBe(false)
  if (statSync('/dev/shm').dev === statSync(folder).dev) return
  const elsewhere = mkdtempSync('/dev/shm/prospect-backup-test-')
  const { status, stdout } = script('backup', ['--to', elsewhere])
  rmSync(elsewhere, { recursive: true })
  expect(status).toBe(0)
  const backup = basename(stdout.trim().split('\n')[0] ?? '')
  expect(JSON.parse(readFileSync(lastCopy, 'utf8'))).toMatchObject({
    backup: backup.slice('backup-'.length),
    by: 'folder',
  })
})

test('a backup that stays on this host says so', () => {
  expect(script('backup', []).stderr).toContain('Warning: this backup exists on this host only')
})

test('a copy by BACKUP_COPY_TO on the disk of the store is reported, and one on another disk is not', () => {
  const isMounted = 'is on the disk of the store: is the other disk mounted?'
  const here = script('cli', ['backup'], { BACKUP_COPY_TO: join(folder, 'not mounted') })
  expect({ status: here.status, stderr: here.stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining(isMounted),
  })
  if (statSync('/dev/shm').dev === statSync(folder).dev) return
  const elsewhere = mkdtempSync('/dev/shm/prospect-backup-test-')
  const { status, stderr } = script('cli', ['backup'], { BACKUP_COPY_TO: elsewhere })
  rmSync(elsewhere, { recursive: true })
  // A slow backup also prints its progress, in lines such as "reading back: 100 %".
  expect({ status, stderr: stderr.replace(/^[a-z ]+(?:: \d+ %| …)\n/gm, '') }).toEqual({ status: 0, stderr: '' })
})

test('a copy keeps running copies of others in the same folder, and deletes leftovers of a killed one', () => {
  const to = join(folder, 'shelf of several')
  const atWork = ['.partial-0123456789abcdef-20261123T200000Z-01234567', '.partial-backup-20261123T200000Z-01234567']
  const left = '.partial-backup-20261120T200000Z-01234567'
  for (const name of [...atWork, left]) mkdirSync(join(to, name), { recursive: true })
  const days = Date.now() / 1_000 - 2 * 86_400
  utimesSync(join(to, left), days, days)
  const { status, stdout } = script('backup', ['--to', to])
  expect(status).toBe(0)
  expect(readdirSync(to).sort()).toEqual([...atWork, basename(stdout.trim().split('\n')[0] ?? '')].sort())
})

test('a failed copy is reported by exit code and sentence, and the backup exists', () => {
  const file = join(folder, 'a file')
  writeFileSync(file, 'where a folder is wanted')
  const { status, stdout, stderr } = script('backup', ['--to', file])
  expect(status).toBe(3)
  expect(existsSync(stdout.trim())).toBe(true)
  expect(stderr).toContain(`was not copied to ${file}`)
})

test('without a backup nothing is copied, and the exit code reports it', () => {
  const to = join(folder, 'empty')
  const { status, stderr } = script('backup', ['--to', to], { BACKUP_RECIPIENTS: '' })
  expect(status).toBe(1)
  expect(stderr).toContain('BACKUP_RECIPIENTS is missing')
  expect(existsSync(to)).toBe(false)
})
