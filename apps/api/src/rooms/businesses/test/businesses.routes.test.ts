import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('businesses', [
  { method: 'get', path: '/businesses', permission: 'businesses.read', isList: true },
  { method: 'post', path: '/businesses', permission: 'businesses.write', body: () => ({ name: 'Overberg Fencing' }) },
  {
    method: 'post',
    path: '/businesses/duplicate-checks',
    permission: 'businesses.write',
    body: () => ({ emails: ['a@karoo.co.za'] }),
    writesNothing: true,
  },
  { method: 'get', path: '/businesses/tags', permission: 'businesses.read', isList: true },
  { method: 'get', path: '/businesses/:businessId', permission: 'businesses.read' },
  {
    method: 'patch',
    path: '/businesses/:businessId',
    permission: 'businesses.write',
    body: () => ({ name: 'Overberg Fencing' }),
  },
  {
    method: 'post',
    path: '/businesses/:businessId/do-not-contact',
    permission: 'businesses.block',
    body: () => ({ reason: 'They asked.' }),
  },
  { method: 'get', path: '/businesses/:businessId/activity', permission: 'businesses.read', isList: true },
])
