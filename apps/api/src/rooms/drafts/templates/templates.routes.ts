import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { change } from '../../../store/change/change.ts'
import {
  createTemplateSchema,
  editTemplateSchema,
  listTemplatesQuery,
  templatePageSchema,
  templateParams,
  templateSchema,
} from './templates.schema.ts'
import { createTemplate, deleteTemplate, editTemplate, getTemplate, listTemplates } from './templates.ts'

const tags = ['draft templates']

export const templateRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/draft-templates',
    {
      schema: {
        operationId: 'listDraftTemplates',
        tags,
        summary: 'List texts to begin a draft with, newest first',
        querystring: listTemplatesQuery,
        response: { 200: templatePageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => listTemplates(store, cursors, actorOf(request), request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/draft-templates',
    permission: 'drafts.write',
    action: 'draft_template.create',
    schema: {
      operationId: 'createDraftTemplate',
      tags,
      summary: 'Save a text to begin drafts with',
      headers: idempotencyHeaders,
      body: createTemplateSchema,
      response: { 201: templateSchema },
    },
    status: 201,
    work: (tx, { body }) => createTemplate(tx, body),
    location: ({ id }) => `/draft-templates/${id}`,
    answer: ({ id }, { actor }) => getTemplate(store.reader, actor.tenantId, id),
  })

  app.get(
    '/draft-templates/:templateId',
    {
      schema: {
        operationId: 'getDraftTemplate',
        tags,
        summary: 'One template',
        params: templateParams,
        response: { 200: templateSchema },
      },
      config: { permission: 'drafts.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const template = await getTemplate(store.reader, actorOf(request).tenantId, request.params.templateId)
      setEntityTag(reply, template.version)
      return template
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/draft-templates/:templateId',
    permission: 'drafts.write',
    action: 'draft_template.edit',
    schema: {
      operationId: 'editDraftTemplate',
      tags,
      summary: 'Change a template on the version that was seen (If-Match); drafts keep their text',
      params: templateParams,
      headers: versionHeaders,
      body: editTemplateSchema,
      response: { 200: templateSchema },
    },
    status: 200,
    work: (tx, { params, version, body }) => editTemplate(tx, { id: params.templateId, version, input: body }),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getTemplate(store.reader, actor.tenantId, id),
  })

  app.delete(
    '/draft-templates/:templateId',
    {
      schema: {
        operationId: 'deleteDraftTemplate',
        tags,
        summary: 'Delete a template; drafts keep their text',
        params: templateParams,
        response: { 204: z.null() },
      },
      config: { permission: 'drafts.write' },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const options = { permission: 'drafts.write', action: 'draft_template.delete' } as const
      await change(store, actor, options, (tx) => deleteTemplate(tx, request.params.templateId))
      return reply.code(204).send(null)
    },
  )
}
