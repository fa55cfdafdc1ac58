import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

const provenance = { reason: 'They asked.', channel: 'phone' }
const oneLine = { lines: ['owner@overberg.co.za', 'owner@karoo.co.za'] }

holdRouteGuarantees('suppression', [
  { method: 'get', path: '/suppressions/evaluation', permission: 'suppression.read' },
  { method: 'get', path: '/suppressions', permission: 'suppression.read', isList: true },
  {
    method: 'post',
    path: '/suppressions',
    permission: 'suppression.add',
    body: () => ({ ...provenance, kind: 'email', value: 'nobody@overberg.co.za' }),
  },
  {
    method: 'post',
    path: '/suppressions/checks',
    permission: 'suppression.read',
    body: () => ({ values: [{ kind: 'email', value: 'a@karoo.co.za' }] }),
    writesNothing: true,
  },
  {
    method: 'post',
    path: '/suppressions/batch-previews',
    permission: 'suppression.add',
    body: () => oneLine,
    writesNothing: true,
  },
  {
    method: 'post',
    path: '/suppressions/batches',
    permission: 'suppression.add',
    body: () => ({ ...provenance, ...oneLine }),
  },
  { method: 'get', path: '/suppressions/:suppressionId', permission: 'suppression.read' },
  { method: 'get', path: '/suppressions/:suppressionId/history', permission: 'suppression.read', isList: true },
  { method: 'get', path: '/suppressions/:suppressionId/matches', permission: 'suppression.read', isList: true },
  {
    method: 'post',
    path: '/suppressions/:suppressionId/removal',
    permission: 'suppression.remove',
    body: () => ({ reason: 'They came back.' }),
  },
  { method: 'get', path: '/businesses/:businessId/suppressions', permission: 'suppression.read' },
  {
    method: 'post',
    path: '/businesses/:businessId/do-not-contact-removal',
    permission: 'suppression.remove',
    at: ({ blockedId }) => ({ businessId: blockedId }),
    body: () => ({ reason: 'They came back.' }),
  },
])
