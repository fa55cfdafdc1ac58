import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('reports', [
  { method: 'get', path: '/reports', permission: 'reports.read', isList: true },
  {
    method: 'post',
    path: '/reports',
    permission: 'reports.create',
    body: () => ({ name: 'November', from: '2026-11-01', to: '2026-11-20' }),
    needsKey: true,
  },
  { method: 'get', path: '/reports/:reportId', permission: 'reports.read' },
])
