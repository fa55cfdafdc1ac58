import { expect, test } from 'vitest'
import { newTables } from '../src/appendix.ts'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { exitCodes } from '../src/store-error.ts'
import { createStore, everythingIn, faultsOf, runCli } from './store.ts'

const columnCount = newTables.flatMap(({ columns }) => Object.keys(columns)).length

test('tables that were made otherwise are reported column by column and left as they are', async () => {
  const { db } = await createStore()
  for (const { name, columns } of newTables) {
    const wrong = Object.keys(columns).map((column) => `${column} CHAR(3) NULL`)
    await db.query(`CREATE TABLE ${name} (${wrong.join(', ')}) ENGINE=InnoDB`)
  }
  const before = await everythingIn(db)
  await expect(applyUpgrade(db)).rejects.toMatchObject({
    exitCode: exitCodes.refused,
    message: expect.stringContaining(`columns that differ: ${columnCount}`),
  })
  expect(await everythingIn(db)).toEqual(before)
  const faults = await faultsOf(db)
  for (const { name, columns } of newTables) {
    for (const [column, shape] of Object.entries(columns)) {
      expect(faults).toContainEqual(expect.stringContaining(`differs ${name}.${column} ${shape}: is CHAR`))
    }
  }
})

test('a column that is missing stops the script, the command and verify', async () => {
  const store = await createStore()
  await applyUpgrade(store.db)
  await store.db.query('ALTER TABLE notifications DROP INDEX notification_unread_idx, DROP COLUMN read_at')
  await expect(applyUpgrade(store.db)).rejects.toThrow('notifications.read_at should be timestamp null and is missing')
  expect(await faultsOf(store.db)).toEqual([
    'missing notifications.read_at TIMESTAMP NULL',
    'missing notifications: KEY notification_unread_idx (user_id, read_at, created_at)',
  ])
  const upgrade = await runCli(store, ['upgrade', '--without-backup'])
  expect(upgrade.code).toBe(exitCodes.refused)
  expect(upgrade.output).toContain('stop     drift: notifications.read_at TIMESTAMP NULL: is missing\n')
  const verify = await runCli(store, ['verify'])
  expect(verify.code).toBe(exitCodes.refused)
  expect(verify.output).toContain('missing  notifications.read_at TIMESTAMP NULL\n')
  expect(verify.output).toContain('ok       attachments.stored_name VARCHAR(255) NOT NULL\n')
})

/** Changes of a column, each of which is undone before the next. */
const columnChanges: [change: string, undo: string, script: string, verify: string][] = [
  [
    'app_settings MODIFY setting_value TEXT NOT NULL',
    'app_settings MODIFY setting_value TEXT NULL',
    'app_settings.setting_value should be text null and is text not null',
    'is TEXT NOT NULL',
  ],
  [
    'credentials MODIFY label VARCHAR(100) NOT NULL',
    'credentials MODIFY label VARCHAR(120) NOT NULL',
    'credentials.label should be varchar(120) not null and is varchar(100) not null',
    'is VARCHAR(100) NOT NULL',
  ],
  [
    'credentials MODIFY notes TEXT CHARACTER SET latin1',
    'credentials MODIFY notes TEXT CHARACTER SET utf8mb4',
    'is text latin1 null',
    'is TEXT CHARACTER SET latin1 NULL',
  ],
  [
    'credentials ALTER is_active SET DEFAULT 0',
    'credentials ALTER is_active SET DEFAULT 1',
    'default 1 and is boolean not null default 0',
    'is BOOLEAN NOT NULL DEFAULT 0',
  ],
  [
    'credentials MODIFY updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP',
    'credentials MODIFY updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP',
    'on update now and is timestamp not null default now',
    'is TIMESTAMP NOT NULL DEFAULT NOW',
  ],
  [
    'notifications MODIFY read_at TIMESTAMP(3) NULL',
    'notifications MODIFY read_at TIMESTAMP NULL',
    'is timestamp(3) null',
    'is TIMESTAMP(3) NULL',
  ],
  [
    'jobcard_sequences MODIFY next_sequence INT NOT NULL',
    'jobcard_sequences MODIFY next_sequence INT UNSIGNED NOT NULL',
    'int unsigned not null and is int not null',
    'is INT NOT NULL',
  ],
  [
    'technical_information MODIFY data_json LONGTEXT NOT NULL',
    'technical_information MODIFY data_json JSON NOT NULL',
    'json not null and is longtext not null',
    'is LONGTEXT NOT NULL',
  ],
  [
    'technical_information MODIFY id BIGINT UNSIGNED NOT NULL',
    'technical_information MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT',
    'auto_increment and is bigint unsigned not null',
    'is BIGINT UNSIGNED NOT NULL',
  ],
]

test('every property of a column counts', async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  for (const [change, undo, script, verify] of columnChanges) {
    await db.query(`ALTER TABLE ${change}`)
    await expect(applyUpgrade(db)).rejects.toThrow(script)
    const faults = await faultsOf(db)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^differs .*: ${verify.replace(/[()]/g, '\\$&')}$`))
    await db.query(`ALTER TABLE ${undo}`)
  }
  expect(await faultsOf(db)).toEqual([])
})

test('every foreign key and every key counts', async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  const references = newTables.flatMap(({ name, references: wanted }) => wanted.map((_, index) => ({ name, index })))
  for (const { name, index } of references)
    await db.query(`ALTER TABLE ${name} DROP FOREIGN KEY ${name}_ibfk_${index + 1}`)
  await expect(applyUpgrade(db)).rejects.toThrow(
    `app_settings.updated_by has no foreign key to users that does SET NULL on delete; foreign keys that differ: ${references.length}.`,
  )
  const keys = newTables.flatMap(({ name, keys: wanted }) =>
    wanted
      .filter((key) => !key.startsWith('PRIMARY'))
      .map((key) => ({ name, key: /KEY (\S+)/.exec(key)?.[1]?.replace('*', 'stored_name') })),
  )
  for (const { name, key } of keys) await db.query(`ALTER TABLE ${name} DROP INDEX ${key}`)
  await expect(applyUpgrade(db)).rejects.toThrow(
    `attachments has no key attachments_jobcard_idx on (jobcard_id); keys that differ: ${keys.length}.`,
  )
  const faults = await faultsOf(db)
  expect(faults.filter((fault) => fault.startsWith('missing'))).toHaveLength(references.length + keys.length)
})

test('another action of a foreign key, a key on other columns and a table of another engine differ', async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  await db.query('ALTER TABLE notifications DROP FOREIGN KEY notifications_ibfk_1')
  await db.query('ALTER TABLE notifications ADD FOREIGN KEY (user_id) REFERENCES users (id)')
  await expect(applyUpgrade(db)).rejects.toThrow(
    'notifications.user_id has no foreign key to users that does CASCADE on delete',
  )
  await db.query(
    'ALTER TABLE credentials DROP INDEX credentials_category_idx, ADD KEY credentials_category_idx (category(10))',
  )
  await expect(applyUpgrade(db)).rejects.toThrow('credentials has no key credentials_category_idx on (category)')
  await db.query('ALTER TABLE jobcard_sequences ENGINE=MyISAM')
  await expect(applyUpgrade(db)).rejects.toThrow('table jobcard_sequences is kept by MyISAM, not InnoDB')
  expect((await faultsOf(db)).filter((fault) => !fault.includes('is not of the appendix'))).toEqual([
    'differs credentials: KEY credentials_category_idx (category): is KEY credentials_category_idx (category(10))',
    'differs table jobcard_sequences is kept by MyISAM, not InnoDB',
    'missing notifications: foreign key user_id -> users (id) ON DELETE CASCADE',
  ])
})

test('what is there past the appendix is told and no fault, unless it refuses rows that the appendix allows', async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  await db.query('ALTER TABLE attachments ADD checksum CHAR(64) NULL, ADD KEY attachments_checksum_idx (checksum)')
  await db.query('ALTER TABLE credentials ADD vault VARCHAR(20) NOT NULL, ADD UNIQUE KEY credentials_label (label)')
  const shapes = (await faultsOf(db)).map((fault) =>
    fault.replace(/CHAR(\(64\))? (CHARACTER SET \w+ )?NULL/, 'CHAR NULL'),
  )
  expect(shapes).toEqual([
    'differs credentials.vault VARCHAR(20) NOT NULL is not of the appendix',
    'differs credentials: UNIQUE KEY credentials_label (label) is not of the appendix',
    'beyond attachments.checksum CHAR NULL is not of the appendix',
    'beyond attachments: KEY attachments_checksum_idx (checksum) is not of the appendix',
  ])
})

test('permissions and grants that are missing show in verify, and the next run adds them', async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  await db.query("DELETE FROM permissions WHERE name = 'technical.view'")
  await db.query(
    "DELETE role_permissions FROM role_permissions JOIN permissions ON permissions.id = permission_id WHERE name = 'jobcards.close'",
  )
  expect(await faultsOf(db)).toEqual([
    'missing permission technical.view: view client technical information',
    'missing role Administrator holds every permission: lacks jobcards.close',
  ])
  await applyUpgrade(db)
  expect(await faultsOf(db)).toEqual([])
})
