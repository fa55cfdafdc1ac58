import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import {
  domainRejectionSchema,
  rejectDomainSchema,
  rejectionPreviewQuery,
  rejectionPreviewSchema,
} from './rejections.schema.ts'
import { previewRejection, rejectCandidatesOf } from './rejections.ts'

export const rejectionRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/domain-rejections/preview',
    id: 'previewDomainRejection',
    summary: 'What rejecting the open candidates of one domain would reject',
    permission: 'domains.decide',
    query: rejectionPreviewQuery,
    response: rejectionPreviewSchema,
    answer: ({ actor, query }) => previewRejection(store, actor, query.domain),
  })

  route.change({
    url: '/domain-rejections',
    id: 'rejectDomain',
    summary: 'Reject the open candidates of one domain as previewed, with one reason; in steps',
    permission: 'domains.decide',
    action: 'domain_candidate.reject',
    body: rejectDomainSchema,
    response: domainRejectionSchema,
    requiresKeySoThat: 'no step is repeated',
    work: (tx, { body }) => rejectCandidatesOf(tx, body),
    answer: (rejected) => rejected,
  })
}
