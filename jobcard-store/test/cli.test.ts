import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { existingTables } from '../src/appendix.ts'
import { readSettings } from '../src/connection.ts'
import { exitCodes } from '../src/store-error.ts'
import { createStore, everythingIn, faultsOf, runCli, type TestStore } from './store.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobcard-backup-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const head = '-- MariaDB dump 10.19  Distrib 10.11.18-MariaDB, for debian-linux-gnu (x86_64)\n'
const tables = Object.keys(existingTables).map((name) => `CREATE TABLE \`${name}\` (\n  \`id\` int\n);\n`)
const end = '-- Dump completed on 2026-11-21 12:00:00\n'

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

test('preflight tells what would be added and changes nothing; upgrade with a backup adds it; verify agrees', async () => {
  const store = await createStore()
  const before = await everythingIn(store.db)
  const preflight = await runCli(store, ['preflight'])
  expect(preflight).toMatchObject({ code: exitCodes.fine, errors: '' })
  expect(preflight.output).toContain('add      table notifications\n')
  expect(preflight.output).toContain('add      sla_agreements: UNIQUE KEY sla_client_unique (client_id)\n')
  expect(preflight.output).toContain('The store can be upgraded.\n')
  expect((await runCli(store, ['verify'])).code).toBe(exitCodes.refused)
  expect(await everythingIn(store.db)).toEqual(before)

  const backup = await file('before.sql', dumpOf(store))
  const upgrade = await runCli(store, ['upgrade', '--backup', backup])
  expect(upgrade).toMatchObject({ code: exitCodes.fine, errors: '' })
  expect(upgrade.output).toMatch(/^ok +backup: .*a complete dump of 7 tables$/m)
  expect(await faultsOf(store.db)).toEqual([])

  const verify = await runCli(store, ['verify'])
  expect(verify.code).toBe(exitCodes.fine)
  expect(verify.output).not.toMatch(/^(?!ok|The store is as the appendix has it\.)./m)
  const again = await runCli(store, ['preflight'])
  expect(again.code).toBe(exitCodes.fine)
  expect(again.output).not.toMatch(/^add/m)
})

/** Dumps the store with the program that the guide uses. */
function dumpOf(store: TestStore): string {
  const program = process.env.JOBCARD_STORE_DUMP ?? 'mariadb-dump'
  const options = ['--no-defaults', `--socket=${store.socket}`, '--user=root', '--single-transaction', '--routines']
  return execFileSync(program, [...options, store.name], { encoding: 'utf8' })
}

test('packed dumps are looked into as well; another kind of backup is only said to be there', async () => {
  const store = await createStore()
  const dump = head + tables.join('') + end
  const gz = await runCli(store, ['upgrade', '--backup', await file('b.sql.gz', gzipSync(dump))])
  expect(gz.output).toMatch(/^ok +backup: .*b\.sql\.gz.*a complete dump of 7 tables$/m)
  const zst = await runCli(store, ['upgrade', '--backup', await file('b.sql.zst', zstdCompressSync(dump))])
  expect(zst.output).toMatch(/^ok +backup: .*a complete dump of 7 tables$/m)
  const other = await runCli(store, ['upgrade', '--backup', await file('b.tar', 'whatever')])
  expect(other.output).toMatch(/^note +backup: .*not a dump, so it could not be looked into$/m)
})

test('without a backup, or with one that is missing, empty, cut short, broken or of another store, nothing is changed', async () => {
  const store = await createStore()
  const before = await everythingIn(store.db)
  const whole = head + tables.join('') + end
  const cases: [args: string[], says: string][] = [
    [[], 'Take a backup first and name it with --backup <file>'],
    [['--backup', join(folder, 'nowhere.sql')], 'cannot be read.'],
    [['--backup', await file('empty.sql', '')], 'is empty.'],
    [['--backup', await file('cut.sql', head + tables.join(''))], 'is cut short'],
    [['--backup', await file('cut.sql.gz', gzipSync(whole).subarray(0, -20))], 'cannot be read to its end'],
    [['--backup', await file('other.sql', head + tables.slice(1).join('') + end)], 'holds no table users.'],
  ]
  for (const [args, says] of cases) {
    const { code, errors } = await runCli(store, ['upgrade', ...args])
    expect({ args, code }).toEqual({ args, code: exitCodes.refused })
    expect(errors).toContain(says)
  }
  expect(await everythingIn(store.db)).toEqual(before)
})

test('what is typed wrong ends with 2 and a sentence', async () => {
  const nowhere = { name: 'x', socket: join(folder, 'no-socket') }
  const cases: [args: string[], environment: NodeJS.ProcessEnv, says: string][] = [
    [['verify', '--password=secret'], {}, 'A password is never an argument'],
    [['verify', '--colour'], {}, "Unknown option '--colour'"],
    [['destroy'], {}, 'There is no command destroy'],
    [['verify', 'preflight'], {}, 'one command at a time'],
    [['verify', '--without-backup'], {}, '--backup and --without-backup belong to upgrade.'],
    [['verify'], { JOBCARD_STORE_DATABASE: '' }, '--database is missing.'],
    [['verify'], { JOBCARD_STORE_PORT: 'many' }, '--port must be a whole number'],
    [['verify'], { JOBCARD_STORE_PORT: '0xcea' }, '--port must be a whole number'],
    [['verify', '--port', '3e3'], {}, '--port must be a whole number'],
    [['verify', '--password-file', join(folder, 'none')], {}, 'cannot be read'],
    [['verify', '--password-file', join(folder, 'none')], { JOBCARD_STORE_PASSWORD: 'x' }, 'not both'],
  ]
  for (const [args, environment, says] of cases) {
    const { code, errors } = await runCli(nowhere, args, environment)
    expect({ args, code }).toEqual({ args, code: exitCodes.usage })
    expect(errors).toContain(says)
    expect(errors).not.toContain('secret')
  }
  expect((await runCli(nowhere, [])).code).toBe(exitCodes.usage)
  const help = await runCli(nowhere, ['--help'])
  expect(help.code).toBe(exitCodes.fine)
  expect(help.output).toContain('JOBCARD_STORE_PASSWORD_FILE')
})

test('an empty variable counts as absent', () => {
  const names = ['SOCKET', 'HOST', 'PORT', 'TLS_CA', 'PASSWORD', 'PASSWORD_FILE']
  const empty = Object.fromEntries(names.map((name) => [`JOBCARD_STORE_${name}`, '']))
  expect(readSettings({ user: 'desk', database: 'cards' }, empty)).toEqual({
    host: '127.0.0.1',
    port: 3306,
    socket: undefined,
    user: 'desk',
    password: '',
    database: 'cards',
    tlsCa: undefined,
  })
})

test('a server that is not there, a database that is not there and a wrong password end with 3', async () => {
  const store = await createStore()
  expect(await runCli({ name: 'x', socket: join(folder, 'no-socket') }, ['preflight'])).toMatchObject({
    code: exitCodes.unreachable,
    errors: expect.stringContaining('No server answers there'),
  })
  expect(await runCli({ ...store, name: 'no_such_store' }, ['preflight'])).toMatchObject({
    code: exitCodes.unreachable,
    errors: expect.stringContaining('There is no database of that name.'),
  })
  const wrong = await runCli(store, ['preflight'], { JOBCARD_STORE_PASSWORD: 'not-the-password' })
  expect(wrong.code).toBe(exitCodes.unreachable)
  expect(wrong.errors).toContain('The server does not know this user with this password.')
  expect(wrong.errors).not.toContain('not-the-password')
})

test('an account with just the privileges that preflight asks for can upgrade; lacking one is said before anything is changed', async () => {
  const store = await createStore()
  const user = `u${store.name.slice(-8)}`
  await store.db.query(`CREATE USER ${user}@localhost IDENTIFIED BY 'a secret'`)
  await store.db.query(`GRANT SELECT, CREATE, REFERENCES ON ${store.name}.* TO ${user}@localhost`)
  await store.db.query(`GRANT INSERT ON ${store.name}.permissions TO ${user}@localhost`)
  await store.db.query(`GRANT INSERT ON ${store.name}.role_permissions TO ${user}@localhost`)
  const before = await everythingIn(store.db)
  const settings = { JOBCARD_STORE_USER: user, JOBCARD_STORE_PASSWORD_FILE: await file('password', 'a secret\n') }

  const refused = await runCli(store, ['upgrade', '--without-backup'], settings)
  expect(refused.code).toBe(exitCodes.refused)
  expect(refused.output).toContain('stop     privileges: this account lacks ALTER on sla_agreements\n')
  expect(await everythingIn(store.db)).toEqual(before)

  await store.db.query(`GRANT ALTER ON ${store.name}.sla_agreements TO ${user}@localhost`)
  const upgraded = await runCli(store, ['upgrade', '--without-backup'], settings)
  expect(upgraded).toMatchObject({ code: exitCodes.fine, errors: '' })
  expect(await faultsOf(store.db)).toEqual([])
  await store.db.query(`DROP USER ${user}@localhost`)
})

test('privileges that come with a role count while the role is set', async () => {
  const store = await createStore()
  const [user, role] = [`u${store.name.slice(-8)}`, `r${store.name.slice(-8)}`]
  await store.db.query(`CREATE ROLE ${role}`)
  await store.db.query(`GRANT SELECT, CREATE, REFERENCES, INSERT, ALTER ON ${store.name}.* TO ${role}`)
  await store.db.query(`CREATE USER ${user}@localhost IDENTIFIED BY 'a secret'`)
  await store.db.query(`GRANT SELECT ON ${store.name}.* TO ${user}@localhost`)
  await store.db.query(`GRANT ${role} TO ${user}@localhost`)
  const settings = { JOBCARD_STORE_USER: user, JOBCARD_STORE_PASSWORD: 'a secret' }
  expect((await runCli(store, ['preflight'], settings)).output).toContain(
    'stop     privileges: this account lacks CREATE on app_settings',
  )
  // Tries the syntax of MariaDB (FOR) and then that of MySQL (TO).
  await store.db
    .query(`SET DEFAULT ROLE ${role} FOR ${user}@localhost`)
    .catch(() => store.db.query(`SET DEFAULT ROLE ${role} TO ${user}@localhost`))
  expect((await runCli(store, ['preflight'], settings)).output).toContain(
    'ok       privileges: all that the upgrade needs',
  )
  await store.db.query(`DROP USER ${user}@localhost`)
  await store.db.query(`DROP ROLE ${role}`)
})
