import { seen } from '../../../../test/prospects.ts'
import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('evidence', [
  { method: 'get', path: '/businesses/:businessId/evidence', permission: 'evidence.read', isList: true },
  {
    method: 'post',
    path: '/businesses/:businessId/evidence',
    permission: 'evidence.write',
    body: () => seen,
  },
  { method: 'get', path: '/businesses/:businessId/evidence/:evidenceId', permission: 'evidence.read' },
  { method: 'get', path: '/businesses/:businessId/facts', permission: 'evidence.read' },
])
