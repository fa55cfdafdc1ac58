import { holdRouteGuarantees } from '../../../test/route-guarantees.ts'

holdRouteGuarantees('matching', [
  {
    method: 'post',
    path: '/match-runs',
    permission: 'matching.run',
    body: () => ({ reason: 'New rules.' }),
    needsKey: true,
  },
  { method: 'get', path: '/match-suggestions', permission: 'matching.read', isList: true },
  { method: 'get', path: '/match-suggestions/:suggestionId', permission: 'matching.read' },
  {
    method: 'post',
    path: '/match-suggestions/:suggestionId/rejection',
    permission: 'matching.reject',
    body: () => ({ reason: 'Two shops of one chain.' }),
  },
])
