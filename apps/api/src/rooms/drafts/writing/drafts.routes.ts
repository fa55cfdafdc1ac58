import { z } from 'zod'
import { declaredList } from '../../../http/pagination.ts'
import type { RefusedAttempts } from '../../../http/refused-attempts.ts'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { UserActor } from '../../../lib/actor.ts'
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
  const route = createRoutes(app, { store, tag: 'drafts' })
  const context = { store, adapters }
  const answersDraft = {
    response: draftSchema,
    answer: ({ id }: { id: string }, { actor }: { actor: UserActor }) => getDraft(context, actor, id),
  }

  route.read({
    url: '/drafts',
    id: 'listDrafts',
    summary: 'List drafts, newest first',
    permission: 'drafts.read',
    query: listDraftsQuery,
    response: draftPageSchema,
    answer: ({ actor, query }) => listDrafts(store, cursors, actor, query),
  })

  route.change({
    url: '/drafts',
    id: 'createDraft',
    summary: 'Write a draft for one prospect; nothing is sent',
    permission: 'drafts.write',
    action: 'draft.create',
    body: createDraftSchema,
    work: (tx, { actor, body }) => createDraft({ tx, actor, adapters }, body),
    location: ({ id }) => `/drafts/${id}`,
    ...answersDraft,
  })

  route.read({
    url: '/drafts/:draftId',
    id: 'getDraft',
    summary: 'One draft, with its checks of this moment',
    permission: 'drafts.read',
    params: draftParams,
    response: draftSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getDraft(context, actor, params.draftId),
  })

  route.change({
    method: 'PATCH',
    url: '/drafts/:draftId',
    id: 'saveDraft',
    summary: 'Save a new version on the one that was seen (If-Match); ends a request and an approval',
    permission: 'drafts.write',
    action: 'draft.save',
    params: draftParams,
    body: saveDraftSchema,
    work: (tx, { params, version, body }) => saveDraft(tx, { id: params.draftId, version, input: body }),
    etag: ({ version }) => version,
    ...answersDraft,
  })

  route.read({
    url: '/drafts/:draftId/versions',
    id: 'listDraftVersions',
    summary: 'List the versions of a draft, newest first, each whole',
    permission: 'drafts.read',
    params: draftParams,
    query: listVersionsQuery,
    response: versionPageSchema,
    answer: ({ actor, params, query }) => listVersions(store, cursors, actor, { id: params.draftId, query }),
  })

  route.read({
    url: '/drafts/:draftId/checks',
    id: 'getDraftChecks',
    summary: 'The checks of a draft at this moment',
    permission: 'drafts.read',
    params: draftParams,
    response: z.object({ items: declaredList(checkSchema) }),
    answer: async ({ actor, params }) => ({ items: (await getDraft(context, actor, params.draftId)).checks }),
  })

  route.read({
    url: '/draft-checks',
    id: 'checkDraft',
    summary: 'Check a text that is not saved; stores nothing',
    permission: 'drafts.write',
    body: checkDraftSchema,
    response: checkedSchema,
    answer: ({ actor, body }) => checkUnsaved(context, actor, body),
  })

  route.read({
    url: '/draft-approval-requests',
    id: 'listDraftApprovalRequests',
    summary: 'List the requests that wait for a decision, newest first',
    permission: 'drafts.read',
    query: listRequestsQuery,
    response: approvalRequestPageSchema,
    answer: ({ actor, query }) => listRequests(store, cursors, actor, query),
  })

  route.change({
    url: '/drafts/:draftId/approval-requests',
    id: 'requestDraftApproval',
    summary: 'Request the approval of a draft as it was seen',
    permission: 'drafts.write',
    action: 'draft.request_approval',
    params: draftParams,
    body: requestApprovalSchema,
    work: (tx, { actor, params, body }) => requestApproval({ tx, actor, adapters, id: params.draftId }, body),
    ...answersDraft,
  })

  route.change({
    url: '/drafts/:draftId/withdrawal',
    id: 'withdrawDraftRequest',
    summary: 'Withdraw the request for approval',
    permission: 'drafts.write',
    action: 'draft.withdraw',
    params: draftParams,
    body: withdrawRequestSchema,
    work: (tx, { params, body }) => withdrawRequest(tx, { id: params.draftId, reason: body.reason ?? null }),
    ...answersDraft,
  })

  route.change({
    url: '/drafts/:draftId/approvals',
    id: 'approveDraft',
    summary: 'Approve a draft of other people as it was seen; all checks run again',
    permission: 'drafts.approve',
    action: 'draft.approve',
    refused: { action: 'draft.approval_failed', ...ofDraft },
    params: draftParams,
    body: approveDraftSchema,
    response: approvedDraftSchema,
    work: (tx, { actor, params, body }) => approveDraft({ tx, actor, adapters, id: params.draftId }, body),
    answer: async ({ id, eventId }, { actor }) => ({
      draft: await getDraft(context, actor, id),
      event: await readBack(store.reader, actor.tenantId, eventId),
    }),
  })

  route.change({
    url: '/drafts/:draftId/rejections',
    id: 'rejectDraft',
    summary: 'Reject a request for approval with a reason',
    permission: 'drafts.approve',
    action: 'draft.reject',
    params: draftParams,
    body: rejectDraftSchema,
    work: (tx, { params, body }) => rejectDraft(tx, params.draftId, body),
    ...answersDraft,
  })

  route.change({
    url: '/drafts/:draftId/closure',
    id: 'closeDraft',
    summary: 'Close a draft for good',
    permission: 'drafts.write',
    action: 'draft.close',
    params: draftParams,
    body: closeDraftSchema,
    work: (tx, { params, body }) => closeDraft(tx, { id: params.draftId, reason: body.reason }),
    ...answersDraft,
  })

  route.change({
    url: '/drafts/:draftId/copies',
    id: 'copyDraft',
    summary: 'Copy an approved text by hand; nothing is sent',
    permission: 'drafts.copy',
    action: 'draft.copy',
    refused: { action: 'draft.copy_refused', ...ofDraft },
    params: draftParams,
    body: copyDraftSchema,
    response: copySchema,
    status: 201,
    requiresKeySoThat: 'no copy is counted twice',
    work: (tx, { actor, params, body }) => copyDraft(tx, actor, { id: params.draftId, input: body, adapters }),
    answer: ({ id }, { actor }) => readCopy(context, actor, id),
  })
}
