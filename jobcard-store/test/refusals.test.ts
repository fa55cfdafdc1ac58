import { expect, test } from 'vitest'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { exitCodes } from '../src/store-error.ts'
import { createStore, everythingIn, faultsOf, runCli, runClient } from './store.ts'

type Fault = { fault: string; by: string[]; says: RegExp; preflight: RegExp }

const duplicates = [
  'INSERT INTO clients (id) VALUES (1), (2), (3)',
  'INSERT INTO sla_agreements (client_id) VALUES (1), (2), (2), (3), (3), (3)',
]

/** Faults that prevent an upgrade. `says`: the sentence with which upgrade.sql stops. `preflight`: the line that the command prints. */
const faults: Fault[] = [
  {
    fault: 'a table that is not there',
    by: ['DROP TABLE jobcards'],
    says: /table jobcards is missing/,
    preflight: /^stop +table jobcards is missing/m,
  },
  {
    fault: 'a view in place of a table that is built on',
    by: ['DROP TABLE jobcards', 'CREATE VIEW jobcards AS SELECT id FROM users'],
    says: /jobcards is not a table but a view/,
    preflight: /^stop +jobcards is not a table but a view/m,
  },
  {
    fault: 'a signed id of users',
    by: ['ALTER TABLE users MODIFY id BIGINT NOT NULL AUTO_INCREMENT'],
    says: /users\.id is bigint(\(20\))?\. The foreign keys need BIGINT UNSIGNED/,
    preflight: /^stop +users\.id is BIGINT NOT NULL AUTO_INCREMENT; the foreign keys need BIGINT UNSIGNED/m,
  },
  {
    fault: 'a smaller id of jobcards',
    by: ['ALTER TABLE jobcards MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT'],
    says: /jobcards\.id is int(\(10\))? unsigned/,
    preflight: /^stop +jobcards\.id is INT UNSIGNED/m,
  },
  {
    fault: 'an id of users that is no key of its own',
    by: ['ALTER TABLE users ADD tenant INT NOT NULL DEFAULT 1, DROP PRIMARY KEY, ADD PRIMARY KEY (id, tenant)'],
    says: /users\.id is not a primary or unique key of its own/,
    preflight: /^stop +users\.id is not a primary or unique key/m,
  },
  {
    fault: 'an id of clients that shares its key',
    by: [
      'ALTER TABLE sla_agreements DROP FOREIGN KEY sla_agreements_ibfk_1',
      'ALTER TABLE clients ADD area INT NOT NULL DEFAULT 1, DROP PRIMARY KEY, ADD PRIMARY KEY (id, area)',
    ],
    says: /clients\.id is not a primary or unique key of its own/,
    preflight: /^stop +clients\.id is not a primary or unique key/m,
  },
  {
    fault: 'jobcards in partitions',
    by: ['ALTER TABLE jobcards PARTITION BY HASH (id) PARTITIONS 2'],
    says: /table jobcards is kept by InnoDB\. Foreign keys need InnoDB, not partitioned/,
    preflight: /^stop +(table )?jobcards is .*partition/m,
  },
  {
    fault: 'users kept by MyISAM',
    by: ['ALTER TABLE users ENGINE=MyISAM'],
    says: /table users is kept by MyISAM/,
    preflight: /^stop +table users is kept by MyISAM/m,
  },
  {
    fault: 'a column that is not there',
    by: [
      'ALTER TABLE sla_agreements DROP FOREIGN KEY sla_agreements_ibfk_1',
      'ALTER TABLE sla_agreements DROP COLUMN client_id',
    ],
    says: /column sla_agreements\.client_id is missing/,
    preflight: /^stop +column sla_agreements\.client_id is missing/m,
  },
  {
    fault: 'a column of permissions that nobody can fill',
    by: ['ALTER TABLE permissions ADD area VARCHAR(20) NOT NULL'],
    says: /permissions\.area wants a value that the upgrade does not know/,
    preflight: /^stop +permissions\.area wants a value/m,
  },
  {
    fault: 'no role Administrator',
    by: ["UPDATE roles SET name = 'Admin' WHERE name = 'Administrator'"],
    says: /table roles has no row named Administrator/,
    preflight: /^stop +table roles has no row named Administrator/m,
  },
  {
    fault: 'no role Technician',
    by: ["DELETE FROM roles WHERE name = 'Technician'"],
    says: /table roles has no row named Technician/,
    preflight: /^stop +table roles has no row named Technician/m,
  },
  {
    fault: 'no role at all',
    by: ['DELETE FROM roles'],
    says: /table roles has no row named Administrator/,
    preflight: /^stop +table roles has no row named Technician/m,
  },
  {
    fault: 'clients twice in sla_agreements',
    by: duplicates,
    says: /clients with more than one row in sla_agreements: 2\. .*SELECT client_id, COUNT\(\*\) FROM sla_agreements GROUP BY client_id HAVING COUNT\(\*\) > 1/,
    preflight: /^stop +sla_agreements: clients with more than one row: 2 \(client 2: 2 rows, client 3: 3 rows\)/m,
  },
  {
    fault: 'a key of that name that is not unique',
    by: ['ALTER TABLE sla_agreements ADD KEY sla_client_unique (client_id)'],
    says: /sla_client_unique of sla_agreements is there as not unique client_id/,
    preflight: /^stop +the key sla_client_unique of sla_agreements is KEY sla_client_unique/m,
  },
  {
    fault: 'a view in place of a new table',
    by: ['CREATE VIEW notifications AS SELECT id FROM users'],
    says: /notifications is there, but not as a table: it is a view/,
    preflight: /^stop +drift: notifications is not a table but a view/m,
  },
]

test.for(faults)(
  '$fault: the script and the command say so, and nothing is changed',
  async ({ by, says, preflight }) => {
    const store = await createStore()
    for (const sql of by) await store.db.query(sql)
    const before = await everythingIn(store.db)

    await expect(applyUpgrade(store.db)).rejects.toMatchObject({
      exitCode: exitCodes.refused,
      message: expect.stringMatching(says),
    })
    const { code, output } = await runCli(store, ['upgrade', '--without-backup'])
    expect(code).toBe(exitCodes.refused)
    expect(output).toMatch(preflight)
    expect(await everythingIn(store.db)).toEqual(before)
  },
)

test('with duplicates the client ends with 1 at the sentence; one that is told to go on past errors changes nothing either', async () => {
  const store = await createStore()
  for (const sql of duplicates) await store.db.query(sql)
  const before = await everythingIn(store.db)
  const stopped = await runClient(store)
  expect(stopped.code).toBe(1)
  expect(stopped.errors).toContain(
    'UPGRADE STOPPED, NOTHING WAS CHANGED: clients with more than one row in sla_agreements: 2.',
  )
  const forced = await runClient(store, ['--force'])
  expect(forced.errors.match(/^ERROR/gm)).toHaveLength(1)
  expect(forced.output).toContain('The upgrade was stopped and changed nothing; the error above says why.')
  expect(await everythingIn(store.db)).toEqual(before)

  await store.db.query('DELETE FROM sla_agreements WHERE id IN (3, 5, 6)')
  expect((await runClient(store)).code).toBe(0)
  expect(await faultsOf(store.db)).toEqual([])
})

test('a duplicate that comes between the look and the change ends the script before anything is changed', async () => {
  const store = await createStore()
  await store.db.query('INSERT INTO clients (id) VALUES (1)')
  const before = await everythingIn(store.db)
  const late = await store.connect()
  await late.query('START TRANSACTION')
  await late.query('INSERT INTO sla_agreements (id, client_id) VALUES (1, 1), (2, 1)')
  const ended = expect(applyUpgrade(store.db)).rejects.toMatchObject({
    exitCode: exitCodes.interrupted,
    message: expect.stringMatching(/Duplicate entry/),
  })
  await expect
    .poll(
      async () =>
        JSON.stringify(
          await late.query(
            "SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'ALTER TABLE%'",
          ),
        ),
      { timeout: 20_000 },
    )
    .toContain('ALTER TABLE sla_agreements')
  await late.query('COMMIT')
  await ended
  await store.db.query('DELETE FROM sla_agreements')
  const { sla_agreements: _, ...rest } = await everythingIn(store.db)
  const { sla_agreements: __, ...restBefore } = before
  expect(rest).toEqual(restBefore)
})

test('a client that speaks latin1 is refused', async () => {
  const store = await createStore()
  const before = await everythingIn(store.db)
  const { code, errors } = await runClient(store, ['--default-character-set=latin1'])
  expect(code).toBe(1)
  expect(errors).toContain('the client speaks latin1, not utf8mb4. Start it with --default-character-set=utf8mb4')
  expect(await everythingIn(store.db)).toEqual(before)
})

test('without a database the script says that one must be named', async () => {
  const store = await createStore()
  const nowhere = { ...store, name: '--batch' }
  const { code, errors } = await runClient(nowhere)
  expect(code).toBe(1)
  expect(errors).toContain('no database is selected')
})
