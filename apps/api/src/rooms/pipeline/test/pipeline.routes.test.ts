import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('pipeline', [
  { method: 'get', path: '/pipeline', permission: 'pipeline.read' },
  { method: 'patch', path: '/pipeline', permission: 'pipeline.configure', body: () => ({ pausedEnabled: true }) },
  {
    method: 'post',
    path: '/businesses/:businessId/pipeline-transitions',
    permission: 'pipeline.move',
    body: () => ({ to: 'proposal' }),
  },
  { method: 'get', path: '/businesses/:businessId/pipeline-transitions', permission: 'pipeline.read', isList: true },
])
