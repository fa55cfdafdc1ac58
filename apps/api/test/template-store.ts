import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../src/lib/ids.ts'
import { addTenant, addUser, systemActor } from '../src/rooms/identity/accounts/tenants-and-users.ts'
import { hashPassword } from '../src/rooms/identity/passwords/passwords.ts'
import { type Role, roles } from '../src/rooms/identity/permissions.ts'
import { migrations } from '../src/rooms/migrations.ts'
import { change } from '../src/store/change/change.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { openStore, STORE_FILE, type Store } from '../src/store/store.ts'
import { createTestClock } from './test-clock.ts'

/** Password of every user in a test. */
export const TEST_PASSWORD = 'wide acacia over the dry river'

export type TestUser = { id: string; email: string; name: string }
export type TestTenant = { id: string; name: string; users: Record<Role, TestUser> }
export type TestTenants = { home: TestTenant; other: TestTenant }

type Template = { dataDir: string; tenants: TestTenants }

let template: Promise<Template> | undefined

/** Returns a data folder with two tenants, each with a user of every role. The folder is migrated and filled once, then copied. */
export async function copyTemplateStore(): Promise<{ dataDir: string; tenants: TestTenants }> {
  template ??= makeTemplate()
  const { dataDir: source, tenants } = await template
  const dataDir = temporaryFolder()
  cpSync(source, dataDir, { recursive: true })
  return { dataDir, tenants }
}

/** Creates an empty folder that is deleted when all tests have run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'prospect-test-'))
}

async function makeTemplate(): Promise<Template> {
  const dataDir = temporaryFolder()
  const store = openStore({ migrations, dataDir, clock: createTestClock() })
  const passwordHash = await hashPassword(TEST_PASSWORD)
  const home = await makeTenant(store, 'Home', passwordHash)
  const other = await makeTenant(store, 'Other', passwordHash)
  await store.close()
  foldLogIntoFile(join(dataDir, STORE_FILE))
  return { dataDir, tenants: { home, other } }
}

async function makeTenant(store: Store, name: string, passwordHash: string): Promise<TestTenant> {
  const actor = systemActor('command line', newId())
  const { value } = await change(store, actor, { permission: null, action: 'tenant.create' }, async (tx) => {
    await addTenant(tx, { name, timeZone: 'Africa/Johannesburg' })
    const addUserOf = async (role: Role): Promise<TestUser> => {
      const user = { email: `${role}@${name.toLowerCase()}.example`, name: `${name} ${role}` }
      return { ...user, id: await addUser(tx, { ...user, role, passwordHash }) }
    }
    const [administrator, manager, operator, viewer] = [
      await addUserOf(roles[0]),
      await addUserOf(roles[1]),
      await addUserOf(roles[2]),
      await addUserOf(roles[3]),
    ]
    return { id: actor.tenantId, name, users: { administrator, manager, operator, viewer } }
  })
  return value
}

/** Copies the write-ahead log into the file, because a copy of the file alone would lack the changes in the log. */
export function foldLogIntoFile(file: string): void {
  const connection = openConnection(file, { busyTimeoutMs: 5_000 })
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.close()
}
