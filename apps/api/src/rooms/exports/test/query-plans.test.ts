import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { askedOf, planOf, watchStatements } from '../../../../test/statement-plans.ts'
import { temporaryStore } from '../../../../test/temporary-store.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { selectKept, selectUnderWay } from '../exports.queries.ts'

test('kept files and active jobs are found by index, however many exports a tenant ever had: this runs every few minutes', async () => {
  const store = temporaryStore()
  const statements = watchStatements()
  await selectKept(store.reader, 'a')
  await selectUnderWay(store.reader, 'a', 'export')
  vi.restoreAllMocks()
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const plans = askedOf(statements).map(({ sql }) => planOf(connection, sql))
  connection.close()
  expect(plans.map(([first]) => first)).toEqual([
    'SEARCH f USING INDEX export_files_kept (tenant_id=?)',
    'SEARCH j USING INDEX jobs_by_kind_and_status (tenant_id=? AND kind=? AND status=?)',
  ])
})
