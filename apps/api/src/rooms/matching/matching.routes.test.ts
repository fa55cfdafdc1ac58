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
  { method: 'get', path: '/match-suggestions/counts', permission: 'matching.read' },
  { method: 'get', path: '/match-suggestions/:suggestionId', permission: 'matching.read' },
  {
    method: 'post',
    path: '/match-suggestions/:suggestionId/rejection',
    permission: 'matching.reject',
    body: () => ({ reason: 'Two shops of one chain.' }),
  },
  { method: 'get', path: '/match-suggestions/:suggestionId/merge-preview', permission: 'matching.read' },
  {
    method: 'post',
    path: '/match-suggestions/:suggestionId/merge',
    permission: 'matching.merge',
    body: ({ survivorId, fingerprint }) => ({ reason: 'One shop.', survivorId, fingerprint }),
    needsKey: true,
    decidesOnce: true,
  },
  { method: 'get', path: '/merges', permission: 'matching.read', isList: true },
  { method: 'get', path: '/merges/:mergeId', permission: 'matching.read' },
  {
    method: 'post',
    path: '/merges/:mergeId/reversal',
    permission: 'matching.reverse',
    body: () => ({ reason: 'Two shops after all.' }),
    needsKey: true,
    decidesOnce: true,
  },
  { method: 'get', path: '/merge-attempts', permission: 'matching.read', isList: true },
])
