import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import {
  addRequestSchema,
  answerRequestSchema,
  editRequestSchema,
  extendRequestSchema,
  listRequestsQuery,
  requestPageSchema,
  requestParams,
  requestSchema,
} from './requests.schema.ts'
import { addRequest, answerRequest, editRequest, extendRequest, getRequest, listRequests } from './requests.ts'

export const subjectRequestRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'subject requests' })
  const answersRequest = {
    response: requestSchema,
    answer: ({ id }: { id: string }, { actor }: { actor: { tenantId: string } }) =>
      getRequest(store, actor.tenantId, id),
  }

  route.read({
    url: '/subject-requests',
    id: 'listSubjectRequests',
    summary: 'List requests of people about their own data',
    permission: 'requests.read',
    query: listRequestsQuery,
    response: requestPageSchema,
    answer: ({ actor, query }) => listRequests(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/subject-requests',
    id: 'addSubjectRequest',
    summary: 'Enter a request of a person about their own data; it is due within 30 days',
    permission: 'requests.manage',
    action: 'subject_request.add',
    body: addRequestSchema,
    work: (tx, { body }) => addRequest(tx, body),
    location: ({ id }) => `/subject-requests/${id}`,
    etag: ({ version }) => version,
    ...answersRequest,
  })

  route.read({
    url: '/subject-requests/:requestId',
    id: 'getSubjectRequest',
    summary: 'Get a request with the acts that its answer names or can name',
    permission: 'requests.read',
    params: requestParams,
    response: requestSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getRequest(store, actor.tenantId, params.requestId),
  })

  route.change({
    method: 'PATCH',
    url: '/subject-requests/:requestId',
    id: 'editSubjectRequest',
    summary: 'Change the person, the check of the identity, or the prospect of an open request',
    permission: 'requests.manage',
    action: 'subject_request.edit',
    params: requestParams,
    body: editRequestSchema,
    work: (tx, { params, version, body }) => editRequest(tx, params.requestId, version, body),
    etag: ({ version }) => version,
    ...answersRequest,
  })

  route.change({
    url: '/subject-requests/:requestId/extension',
    id: 'extendSubjectRequest',
    summary: 'Move the due day of an open request, once, with a reason',
    permission: 'requests.manage',
    action: 'subject_request.extend',
    params: requestParams,
    body: extendRequestSchema,
    work: (tx, { params, body }) => extendRequest(tx, params.requestId, body),
    ...answersRequest,
  })

  route.change({
    url: '/subject-requests/:requestId/answer',
    id: 'answerSubjectRequest',
    summary: 'Record how a request was answered, and by which acts; nothing is sent',
    permission: 'requests.manage',
    action: 'subject_request.answer',
    params: requestParams,
    body: answerRequestSchema,
    work: (tx, { params, body }) => answerRequest(tx, params.requestId, body),
    ...answersRequest,
  })
}
