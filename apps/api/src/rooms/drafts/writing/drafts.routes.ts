import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import {
  idempotencyHeaders,
  requiredIdempotencyHeaders,
  setEntityTag,
  versionHeaders,
} from '../../../http/conditional.ts'
import type { RefusedAttempts } from '../../../http/refused-attempts.ts'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { readBack } from '../../audit/audit.ts'
import type { RoomContext } from '../../room.ts'
import { copyDraftSchema, copySchema } from '../copies/copies.schema.ts'
import { copyDraft, readCopy } from '../copies/copy-draft.ts'
import { getDraftRow } from './drafts.queries.ts'
import {
  approvalRequestPageSchema,
  approveDraftSchema,
  approvedDraftSchema,
  checkDraftSchema,
  checkedSchema,
  checkSchema,
  closeDraftSchema,
  createDraftSchema,
  draftPageSchema,
  draftParams,
  draftSchema,
  listDraftsQuery,
  listRequestsQuery,
  listVersionsQuery,
  rejectDraftSchema,
  requestApprovalSchema,
  saveDraftSchema,
  versionPageSchema,
  withdrawRequestSchema,
} from './drafts.schema.ts'
import { checkUnsaved, getDraft, listDrafts, listRequests, listVersions } from './read-drafts.ts'
import { approveDraft, rejectDraft, requestApproval, withdrawRequest } from './request-approval.ts'
import { closeDraft, createDraft, saveDraft } from './save-draft.ts'

const tags = ['drafts']

/** The draft that a refused approval or copy is recorded with. */
const ofDraft: Omit<RefusedAttempts, 'action'> = {
  subject: 'draft',
  find: async (db, tenantId, { draftId: id = '' }) => {
    const { business_id: businessId, version } = await getDraftRow(db, tenantId, id)
    return { id, businessId, after: { version } }
  },
}

/** Drafts are prepared, checked, approved and copied by hand. No route sends anything. */
export const draftRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, cursors, adapters },
) => {
  const context = { store, adapters }
  app.get(
    '/drafts',
    {
      schema: {
        operationId: 'listDrafts',
        tags,
        summary: 'List drafts, newest first',
        querystring: listDraftsQuery,
        response: { 200: draftPageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => listDrafts(store, cursors, actorOf(request), request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts',
    permission: 'drafts.write',
    action: 'draft.create',
    schema: {
      operationId: 'createDraft',
      tags,
      summary: 'Write a draft for one prospect; nothing is sent',
      headers: idempotencyHeaders,
      body: createDraftSchema,
      response: { 201: draftSchema },
    },
    status: 201,
    work: (tx, { actor, body }) => createDraft({ tx, actor, adapters }, body),
    location: ({ id }) => `/drafts/${id}`,
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  app.get(
    '/drafts/:draftId',
    {
      schema: {
        operationId: 'getDraft',
        tags,
        summary: 'One draft, with its checks of this moment',
        params: draftParams,
        response: { 200: draftSchema },
      },
      config: { permission: 'drafts.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const draft = await getDraft(context, actorOf(request), request.params.draftId)
      setEntityTag(reply, draft.version)
      return draft
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/drafts/:draftId',
    permission: 'drafts.write',
    action: 'draft.save',
    schema: {
      operationId: 'saveDraft',
      tags,
      summary: 'Save a new version on the one that was seen (If-Match); ends a request and an approval',
      params: draftParams,
      headers: versionHeaders,
      body: saveDraftSchema,
      response: { 200: draftSchema },
    },
    status: 200,
    work: (tx, { params, version, body }) => saveDraft(tx, { id: params.draftId, version, input: body }),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  app.get(
    '/drafts/:draftId/versions',
    {
      schema: {
        operationId: 'listDraftVersions',
        tags,
        summary: 'List the versions of a draft, newest first, each whole',
        params: draftParams,
        querystring: listVersionsQuery,
        response: { 200: versionPageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => listVersions(store, cursors, actorOf(request), { id: request.params.draftId, query: request.query }),
  )

  app.get(
    '/drafts/:draftId/checks',
    {
      schema: {
        operationId: 'getDraftChecks',
        tags,
        summary: 'The checks of a draft at this moment',
        params: draftParams,
        response: { 200: z.object({ items: z.array(checkSchema) }) },
      },
      config: { permission: 'drafts.read' },
    },
    async (request) => ({ items: (await getDraft(context, actorOf(request), request.params.draftId)).checks }),
  )

  app.post(
    '/draft-checks',
    {
      schema: {
        operationId: 'checkDraft',
        tags,
        summary: 'Check a text that is not saved; stores nothing',
        body: checkDraftSchema,
        response: { 200: checkedSchema },
      },
      config: { permission: 'drafts.write' },
    },
    (request) => checkUnsaved(context, actorOf(request), request.body),
  )

  app.get(
    '/draft-approval-requests',
    {
      schema: {
        operationId: 'listDraftApprovalRequests',
        tags,
        summary: 'List the requests that wait for a decision, newest first',
        querystring: listRequestsQuery,
        response: { 200: approvalRequestPageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => listRequests(store, cursors, actorOf(request), request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/approval-requests',
    permission: 'drafts.write',
    action: 'draft.request_approval',
    schema: {
      operationId: 'requestDraftApproval',
      tags,
      summary: 'Request the approval of a draft as it was seen',
      params: draftParams,
      headers: idempotencyHeaders,
      body: requestApprovalSchema,
      response: { 200: draftSchema },
    },
    status: 200,
    work: (tx, { actor, params, body }) => requestApproval({ tx, actor, adapters, id: params.draftId }, body),
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/withdrawal',
    permission: 'drafts.write',
    action: 'draft.withdraw',
    schema: {
      operationId: 'withdrawDraftRequest',
      tags,
      summary: 'Withdraw the request for approval',
      params: draftParams,
      headers: idempotencyHeaders,
      body: withdrawRequestSchema,
      response: { 200: draftSchema },
    },
    status: 200,
    work: (tx, { params, body }) => withdrawRequest(tx, { id: params.draftId, reason: body.reason ?? null }),
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/approvals',
    permission: 'drafts.approve',
    action: 'draft.approve',
    refused: { action: 'draft.approval_failed', ...ofDraft },
    schema: {
      operationId: 'approveDraft',
      tags,
      summary: 'Approve a draft of other people as it was seen; all checks run again',
      params: draftParams,
      headers: idempotencyHeaders,
      body: approveDraftSchema,
      response: { 200: approvedDraftSchema },
    },
    status: 200,
    work: (tx, { actor, params, body }) => approveDraft({ tx, actor, adapters, id: params.draftId }, body),
    answer: async ({ id, eventId }, { actor }) => ({
      draft: await getDraft(context, actor, id),
      event: await readBack(store.reader, actor.tenantId, eventId),
    }),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/rejections',
    permission: 'drafts.approve',
    action: 'draft.reject',
    schema: {
      operationId: 'rejectDraft',
      tags,
      summary: 'Reject a request for approval with a reason',
      params: draftParams,
      headers: idempotencyHeaders,
      body: rejectDraftSchema,
      response: { 200: draftSchema },
    },
    status: 200,
    work: (tx, { params, body }) => rejectDraft(tx, params.draftId, body),
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/closure',
    permission: 'drafts.write',
    action: 'draft.close',
    schema: {
      operationId: 'closeDraft',
      tags,
      summary: 'Close a draft for good',
      params: draftParams,
      headers: idempotencyHeaders,
      body: closeDraftSchema,
      response: { 200: draftSchema },
    },
    status: 200,
    work: (tx, { params, body }) => closeDraft(tx, { id: params.draftId, reason: body.reason }),
    answer: ({ id }, { actor }) => getDraft(context, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/drafts/:draftId/copies',
    permission: 'drafts.copy',
    action: 'draft.copy',
    refused: { action: 'draft.copy_refused', ...ofDraft },
    schema: {
      operationId: 'copyDraft',
      tags,
      summary: 'Copy an approved text by hand; nothing is sent',
      params: draftParams,
      headers: requiredIdempotencyHeaders,
      body: copyDraftSchema,
      response: { 201: copySchema },
    },
    status: 201,
    lest: 'no copy is counted twice',
    work: (tx, { actor, params, body }) => copyDraft(tx, actor, { id: params.draftId, input: body, adapters }),
    answer: ({ id }, { actor }) => readCopy(context, actor, id),
  })
}
