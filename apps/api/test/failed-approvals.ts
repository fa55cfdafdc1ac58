import type { TestApp } from './build-app.ts'

/** Returns the operation and code of each refused attempt that the audit of the tenant Home records, in their order. */
export async function failedApprovals({ store, tenants }: TestApp): Promise<[attempted: string, code: string][]> {
  const rows = await store.reader
    .selectFrom('audit_events')
    .select('after_json')
    .where('tenant_id', '=', tenants.home.id)
    .where('action', 'like', '%approval_failed')
    .orderBy('sequence')
    .execute()
  return rows.map(({ after_json }) => {
    const { attempted, code } = JSON.parse(after_json ?? '{}')
    return [attempted, code]
  })
}
