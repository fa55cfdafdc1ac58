import { happened } from '../../../test/prospects.ts'
import { holdRouteGuarantees } from '../../../test/route-guarantees.ts'

holdRouteGuarantees('interactions', [
  { method: 'get', path: '/businesses/:businessId/interactions', permission: 'interactions.read', isList: true },
  {
    method: 'post',
    path: '/businesses/:businessId/interactions',
    permission: 'interactions.write',
    body: () => ({ summary: 'They called.', ...happened }),
  },
])
