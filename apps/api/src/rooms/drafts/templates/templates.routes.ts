import { z } from 'zod'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import {
  createTemplateSchema,
  editTemplateSchema,
  listTemplatesQuery,
  templatePageSchema,
  templateParams,
  templateSchema,
} from './templates.schema.ts'
import { createTemplate, deleteTemplate, editTemplate, getTemplate, listTemplates } from './templates.ts'

export const templateRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'draft templates' })

  route.read({
    url: '/draft-templates',
    id: 'listDraftTemplates',
    summary: 'List texts to begin a draft with, newest first',
    permission: 'drafts.read',
    query: listTemplatesQuery,
    response: templatePageSchema,
    answer: ({ actor, query }) => listTemplates(store, cursors, actor, query),
  })

  route.change({
    url: '/draft-templates',
    id: 'createDraftTemplate',
    summary: 'Save a text to begin drafts with',
    permission: 'drafts.write',
    action: 'draft_template.create',
    body: createTemplateSchema,
    response: templateSchema,
    work: (tx, { body }) => createTemplate(tx, body),
    location: ({ id }) => `/draft-templates/${id}`,
    answer: ({ id }, { actor }) => getTemplate(store.reader, actor.tenantId, id),
  })

  route.read({
    url: '/draft-templates/:templateId',
    id: 'getDraftTemplate',
    summary: 'One template',
    permission: 'drafts.read',
    params: templateParams,
    response: templateSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getTemplate(store.reader, actor.tenantId, params.templateId),
  })

  route.change({
    method: 'PATCH',
    url: '/draft-templates/:templateId',
    id: 'editDraftTemplate',
    summary: 'Change a template on the version that was seen (If-Match); drafts keep their text',
    permission: 'drafts.write',
    action: 'draft_template.edit',
    params: templateParams,
    body: editTemplateSchema,
    response: templateSchema,
    work: (tx, { params, version, body }) => editTemplate(tx, { id: params.templateId, version, input: body }),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getTemplate(store.reader, actor.tenantId, id),
  })

  route.change({
    method: 'DELETE',
    url: '/draft-templates/:templateId',
    id: 'deleteDraftTemplate',
    summary: 'Delete a template; drafts keep their text',
    permission: 'drafts.write',
    action: 'draft_template.delete',
    params: templateParams,
    response: z.null(),
    status: 204,
    work: (tx, { params }) => deleteTemplate(tx, params.templateId),
    answer: () => null,
  })
}
