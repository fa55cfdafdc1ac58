import type { Permission } from '../../lib/declared.ts'
import { auditSubjects } from '../facts.ts'
import type { ChangeRow, JobHead } from './changes.queries.ts'
import type { ChangeItem } from './changes.schema.ts'

export type Reader = { permissions: ReadonlySet<Permission>; jobKinds: ReadonlySet<string> }
/** Changes of one tenant in the order of their sequence, and the changed jobs by id. */
export type Batch = { rows: readonly ChangeRow[]; jobs: ReadonlyMap<string, JobHead> }

/** Permission that a reader needs to be notified of a change, by kind: the type of the changed record. */
const permissionOf = new Map<string, Permission | undefined>(
  Object.entries(auditSubjects).map(([kind, { visibleTo }]) => [kind, visibleTo]),
)

/** Returns the items of a batch after a cursor that the reader may see. Each subject is included once, in the order of its last change. */
export function visibleItems({ rows, jobs }: Batch, after: number, reader: Reader): ChangeItem[] {
  const items = new Map<string, ChangeItem>()
  const add = (item: ChangeItem) => {
    const key = `${item.kind} ${item.id}`
    items.delete(key)
    items.set(key, item)
  }
  for (const row of rows) {
    if (row.sequence <= after || row.kind === 'job') continue
    const item = visibleItem(row, jobs, reader)
    if (item !== undefined) add(item)
  }
  if (reader.permissions.has('jobs.read')) {
    for (const { id, kind, lastSequence } of jobs.values())
      if (reader.jobKinds.has(kind)) add({ kind: 'job', id, businessId: null, version: lastSequence })
  }
  return [...items.values()]
}

/** Returns the item of one change; undefined if the reader may not see it. */
export function visibleItem(
  { kind, id, businessId, version }: ChangeRow,
  jobs: Batch['jobs'],
  { permissions, jobKinds }: Reader,
): ChangeItem | undefined {
  const permission = permissionOf.get(kind)
  if (permission === undefined || !permissions.has(permission)) return undefined
  if (kind !== 'job') return { kind, id, businessId, version }
  const job = jobs.get(id)
  return job !== undefined && jobKinds.has(job.kind)
    ? { kind, id, businessId: null, version: job.lastSequence }
    : undefined
}
