import { expect, test } from 'vitest'
import { z } from 'zod'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { rowOf, rowsOf } from '../src/connection.ts'
import { createStore, everythingIn, faultsOf, programsIn, runClient } from './store.ts'

test('on a fresh store the client adds everything of the appendix and nothing else', async () => {
  const store = await createStore()
  const before = await everythingIn(store.db)
  const { code, output, errors } = await runClient(store)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).toContain('The upgrade has run to its end.')
  expect(await faultsOf(store.db)).toEqual([])

  const after = await everythingIn(store.db)
  const added = Object.keys(after).filter((name) => !(name in before))
  expect(added.sort()).toEqual([
    'app_settings',
    'attachments',
    'credentials',
    'jobcard_sequences',
    'jobcard_status_history',
    'notifications',
    'technical_information',
  ])
  for (const name of ['users', 'clients', 'jobcards', 'roles']) expect(after[name]).toEqual(before[name])
  expect(await programsIn(store.db)).toEqual({ routines: [], triggers: [], events: [] })
})

test('a second run, and a third through the driver, change nothing at all, not even the next number of a permission', async () => {
  const store = await createStore()
  await runClient(store)
  const first = await everythingIn(store.db)
  expect((await runClient(store)).code).toBe(0)
  await applyUpgrade(store.db)
  expect(await everythingIn(store.db)).toEqual(first)
})

test('rows, permissions and grants that are there stay as they are', async () => {
  const { db } = await createStore()
  await db.query("INSERT INTO permissions (id, name) VALUES (40, 'credentials.view')")
  await db.query('INSERT INTO role_permissions (role_id, permission_id) VALUES (2, 40), (1, 1)')
  await db.query('INSERT INTO clients (id) VALUES (1), (2)')
  await db.query('INSERT INTO sla_agreements (id, client_id) VALUES (7, 2), (8, 1)')
  await applyUpgrade(db)

  const ids = z.object({ id: z.number(), name: z.string() })
  expect(await rowsOf(db, ids, "SELECT id, name FROM permissions WHERE name = 'credentials.view'")).toEqual([
    { id: 40, name: 'credentials.view' },
  ])
  const grants = await rowsOf(
    db,
    z.object({ role: z.string(), names: z.string() }),
    `SELECT roles.name AS role, GROUP_CONCAT(permissions.name ORDER BY permissions.name) AS names
     FROM role_permissions JOIN roles ON roles.id = role_id JOIN permissions ON permissions.id = permission_id
     GROUP BY roles.name ORDER BY roles.name`,
  )
  expect(grants).toEqual([
    {
      role: 'Administrator',
      names:
        'attachments.manage,attachments.view,credentials.manage,credentials.view,jobcards.close,jobcards.view,notifications.view,technical.manage,technical.view',
    },
    { role: 'Technician', names: 'credentials.view,technical.view' },
  ])
  const [rows] = await db.query('SELECT id, client_id FROM sla_agreements ORDER BY id')
  expect(rows).toEqual([
    { id: 7, client_id: 2 },
    { id: 8, client_id: 1 },
  ])
})

test('the meaning of a permission is kept where the table has a column for it', async () => {
  const { db } = await createStore()
  await db.query('ALTER TABLE permissions ADD description VARCHAR(255) NOT NULL')
  await applyUpgrade(db)
  const [rows] = await db.query("SELECT description FROM permissions WHERE name = 'jobcards.close'")
  expect(rows).toEqual([{ description: 'close jobcards' }])
  expect(await faultsOf(db)).toEqual([])
})

test('a unique key that is there already is left alone', async () => {
  const { db } = await createStore()
  await db.query('ALTER TABLE sla_agreements ADD UNIQUE KEY sla_client_unique (client_id)')
  const before = await everythingIn(db)
  await applyUpgrade(db)
  expect((await everythingIn(db)).sla_agreements).toEqual(before.sla_agreements)
})

test('rows of sla_agreements without a client are no duplicates', async () => {
  const { db } = await createStore()
  await db.query('ALTER TABLE sla_agreements MODIFY client_id BIGINT UNSIGNED NULL')
  await db.query('INSERT INTO sla_agreements (client_id) VALUES (NULL), (NULL)')
  await applyUpgrade(db)
  expect(await faultsOf(db)).toEqual([])
})

/** Settings of a session that must make no difference to the upgraded store. */
const settings = [
  "sql_mode = ''",
  "sql_mode = 'ANSI'",
  "sql_mode = 'TRADITIONAL'",
  "sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY'",
  'default_storage_engine = MyISAM',
  'explicit_defaults_for_timestamp = OFF',
  'group_concat_max_len = 64',
  "collation_connection = 'utf8mb4_unicode_520_ci'",
  "time_zone = '+02:00'",
  'autocommit = 0',
]

test.for(settings)('with %s the store comes out the same, and the setting stays', async (setting) => {
  const { db, connect } = await createStore()
  const session = await connect()
  await session.query(`SET SESSION ${setting}`)
  const before = await sessionOf(session)
  await applyUpgrade(session)
  await applyUpgrade(session)
  expect(await sessionOf(session)).toEqual(before)
  session.destroy()
  expect(await faultsOf(db)).toEqual([])
})

/** Returns all settings of the session and the variables of the script, except those that change by themselves. */
async function sessionOf(db: Awaited<ReturnType<typeof createStore>>['db']): Promise<unknown> {
  const volatile =
    /^(timestamp|last_insert_id|identity|insert_id|pseudo_thread_id|error_count|warning_count|rand_seed.*|statement_id|last_gtid|gtid_.*|in_transaction)$/
  const variables = await rowsOf(
    db,
    z.object({ Variable_name: z.string(), Value: z.string() }),
    'SHOW SESSION VARIABLES',
  )
  const own = await rowOf(
    db,
    z.record(z.string(), z.null()),
    'SELECT @jobcard_go, @jobcard_stop, @jobcard_roles, @jobcard_sla_key, @jobcard_duplicates, @jobcard_drift, @jobcard_drifts, @jobcard_insert, @jobcard_statement',
  )
  return { own, variables: variables.filter(({ Variable_name }) => !volatile.test(Variable_name)) }
}

test('in a latin1 database the new tables are utf8mb4, and permissions are found again', async () => {
  const { db } = await createStore(undefined, 'latin1')
  await applyUpgrade(db)
  expect(await faultsOf(db)).toEqual([])
  const first = await everythingIn(db)
  await applyUpgrade(db)
  expect(await everythingIn(db)).toEqual(first)
})

test('two upgrades at once leave one whole store', async () => {
  const { db, connect } = await createStore()
  const both = await Promise.allSettled([connect().then(applyUpgrade), connect().then(applyUpgrade)])
  expect(both.map(({ status }) => status)).toContain('fulfilled')
  expect(await faultsOf(db)).toEqual([])
})
