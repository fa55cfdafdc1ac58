import { cpSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { createProspect } from '../../../test/prospects.ts'
import { marksInFiles } from '../../../test/remains.ts'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { typeCommand } from '../../../test/type-command.ts'
import { verifyTenant } from '../../rooms/audit/audit.ts'
import { openConnection } from '../engine/connection.ts'
import { STORE_FILE } from './store-files.ts'

/** Texts of deleted records. The second has a trigram that no other name has, because the text index stores three characters at a time. */
const marks = ['quagga', 'ჰ']

/**
 * Restores the state in which older versions left a store. Those versions did not overwrite deleted content with zeros and did not remove deleted
 * text from the search index at once.
 */
function leaveTraces(dataDir: string): void {
  const connection = openConnection(join(dataDir, STORE_FILE))
  connection.pragma('secure_delete = OFF')
  const values = `(9000001, 'tenant', 'karoo ჰჰჰ')`
  connection.exec(`
    CREATE TABLE former (text TEXT);
    WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 5000)
      INSERT INTO former SELECT printf('quagga %d', value) FROM n;
    DROP TABLE former;
    INSERT INTO business_search_index (rowid, tenant, text) VALUES ${values};
    INSERT INTO business_search_index (business_search_index, rowid, tenant, text) VALUES ('delete', ${values.slice(1)};`)
  connection.close()
}

test('a compacted store has no remains of deleted content in free space or the search index, and everything else', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: 'Karoo Windpumps' })
  await t.store.close()
  const { dataDir } = t.store
  leaveTraces(dataDir)
  expect(marksInFiles(dataDir, marks)).toEqual({ [STORE_FILE]: marks })

  const { exitCode, stdout } = await typeCommand(['store', 'compact'], { DATA_DIR: dataDir })
  expect(exitCode).toBe(0)
  const kept = stdout.trim()
  expect([dirname(kept), marksInFiles(kept, marks)]).toEqual([dataDir, { [STORE_FILE]: marks }])
  const former = temporaryFolder()
  cpSync(dataDir, former, { recursive: true, filter: (path) => path !== kept })
  expect(marksInFiles(former, marks)).toEqual({})
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])

  const again = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock } })
  expect((await (await again.as('operator')).get(`/businesses/${id}`)).body).toMatchObject({ name: 'Karoo Windpumps' })
  const { body } = await (await again.as('operator')).get<{ items: object[] }>('/businesses?q=windpumps')
  expect(body.items).toMatchObject([{ id }])
  expect(await verifyTenant(again.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})

test('a store that is open is not compacted, and the command says so', async () => {
  const t = await buildTestApp()
  const inUse = await typeCommand(['store', 'compact'], { DATA_DIR: t.store.dataDir })
  expect([inUse.exitCode, inUse.stderr]).toEqual([1, expect.stringContaining('Another program uses this store')])
})
