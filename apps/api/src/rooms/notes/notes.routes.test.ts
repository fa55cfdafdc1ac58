import { holdRouteGuarantees } from '../../../test/route-guarantees.ts'

holdRouteGuarantees('notes', [
  { method: 'get', path: '/businesses/:businessId/notes', permission: 'notes.read', isList: true },
  {
    method: 'post',
    path: '/businesses/:businessId/notes',
    permission: 'notes.write',
    body: () => ({ text: 'Call in May.', sensitive: true }),
  },
])
