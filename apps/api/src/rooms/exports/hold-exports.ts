import type { HeldPart, HoldContext } from '../held.ts'
import { selectExportsWith } from './exports.queries.ts'

/** Returns the exports whose files contained one of the records, also those whose file was deleted. */
export async function holdExports({ db, tenantId, businessIds }: HoldContext): Promise<HeldPart[]> {
  return [
    {
      key: 'exports',
      title: 'Exports that contained the records',
      permission: 'exports.read',
      columns: {
        id: 'Id',
        format: 'Format',
        created_at: 'Requested at',
        created_by: 'Requested by',
        written_at: 'Written at',
        expires_at: 'Until',
        removed_at: 'Deleted at',
      },
      rows: await selectExportsWith(db, tenantId, businessIds),
    },
  ]
}
