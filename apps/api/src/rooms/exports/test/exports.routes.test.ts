import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('exports', [
  { method: 'get', path: '/exports', permission: 'exports.read', isList: true },
  {
    method: 'post',
    path: '/exports',
    permission: 'exports.create',
    body: () => ({ format: 'csv', source: 'prospects' }),
    needsKey: true,
  },
  { method: 'get', path: '/exports/:exportId', permission: 'exports.read' },
  { method: 'get', path: '/exports/:exportId/content', permission: 'exports.read', decidesOnce: true },
])
