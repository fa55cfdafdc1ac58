import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Actor } from '../src/lib/actor.ts'
import { type Clock, systemClock } from '../src/lib/clock.ts'
import type { Permission } from '../src/lib/declared.ts'
import { newId } from '../src/lib/ids.ts'
import { migrations } from '../src/rooms/migrations.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { migrate } from '../src/store/files/migrate.ts'
import { openStore, STORE_FILE, type Store } from '../src/store/store.ts'
import { temporaryFolder as folderOfAllTests, foldLogIntoFile } from './template-store.ts'

/** Creates a folder for this test and deletes it when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let emptyFile: string | undefined

/** Creates a folder with the file of an empty store. The file is migrated once and copied, because all migrations take a third of a second. */
function folderWithEmptyStore(): string {
  if (emptyFile === undefined) {
    const file = join(folderOfAllTests(), STORE_FILE)
    const connection = openConnection(file)
    migrate(connection, { steps: migrations })
    connection.close()
    foldLogIntoFile(file)
    emptyFile = file
  }
  const folder = temporaryFolder()
  copyFileSync(emptyFile, join(folder, STORE_FILE))
  return folder
}

/** Opens a real store in its own folder, an empty one by default, and closes it when the test ends. */
export function temporaryStore(options: { clock?: Clock; dataDir?: string } = {}): Store {
  const { clock = systemClock, dataDir = folderWithEmptyStore() } = options
  const store = openStore({ migrations, dataDir, clock })
  onTestFinished(() => store.close())
  return store
}

/** Inserts a tenant without an audit event, so that its chain is empty. */
export async function seedTenant(store: Store, id = newId()): Promise<string> {
  await store.write('upkeep', async (db) => {
    await db
      .insertInto('tenants')
      .values(({ selectFrom }) => ({
        id,
        number: selectFrom('tenants').select(({ fn, eb }) => eb(fn.countAll<number>(), '+', 1).as('number')),
        name: 'A tenant',
        time_zone: 'Africa/Johannesburg',
        created_at: '2026-01-01T00:00:00.000Z',
      }))
      .execute()
    return { keep: true, value: undefined }
  })
  return id
}

declare module '../src/lib/declared.ts' {
  interface DeclaredActions {
    /** actions of changes that only tests make */
    [action: `test.${string}`]: true
  }
  interface DeclaredSubjects {
    /** types of records that only tests have */
    [type: `test.${string}`]: true
  }
}

/** Returns an actor for a part of the system that works in the tenant, with the named permissions. */
export function actorIn(tenantId: string, ...permissions: Permission[]): Actor {
  return { kind: 'system', name: 'command line', tenantId, correlationId: newId(), permissions: new Set(permissions) }
}
