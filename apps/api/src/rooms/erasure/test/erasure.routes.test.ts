import { holdRouteGuarantees } from '../../../../test/route-guarantees.ts'

holdRouteGuarantees('erasure', [
  {
    method: 'post',
    path: '/businesses/:businessId/erasure',
    permission: 'erasure.erase',
    body: () => ({ reason: 'The person asked.' }),
    decidesOnce: true,
  },
])
