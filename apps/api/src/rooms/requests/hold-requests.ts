import { keysOf } from '../../lib/keys-of.ts'
import { inList } from '../../store/engine/dialect.ts'
import type { HeldPart, HoldContext } from '../held.ts'
import { selectByContact } from './requests.queries.ts'

export const requestColumns = {
  id: 'Id',
  kind: 'Kind',
  received_at: 'Received at',
  due_on: 'Due on',
  requester_name: 'Person',
  requester_contact: 'Where the person is answered',
  identity_check: 'Check of the identity',
  extended_at: 'Extended at',
  extended_by: 'Extended by',
  extension_reason: 'Reason of the extension',
  answered_at: 'Answered at',
  answered_by: 'Answered by',
  outcome: 'Outcome',
  answer: 'Answer',
  acts: 'Acts',
  created_at: 'Entered at',
  created_by: 'Entered by',
}

/** Returns the requests of people who are answered at the value; none for a collection about a prospect. */
export async function holdRequestsOfValue({ db, tenantId, value }: HoldContext): Promise<HeldPart[]> {
  if (value === null) return []
  const ids = await selectByContact(db, { tenantId, businessIds: [], contacts: [value.normalized] })
  const rows = await db
    .selectFrom('subject_requests')
    .select(keysOf(requestColumns))
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', inList(ids))
    .orderBy('id')
    .execute()
  const title = 'Subject requests from the value'
  return [
    {
      key: 'subject_requests_of_value',
      title,
      permission: 'requests.read',
      columns: requestColumns,
      json: ['acts'],
      rows,
    },
  ]
}
