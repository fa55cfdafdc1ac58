import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders, setEntityTag, versionHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { auditPageSchema, listActivity, readBack, withOwnKeys } from '../audit/audit.ts'
import { saysNone } from '../normalization/normalization.ts'
import { liftBlock } from './blocks/block-by-hand.ts'
import { getBusiness } from './businesses.queries.ts'
import {
  businessParams,
  businessSchema,
  createBusinessSchema,
  createdBusinessSchema,
  deactivateBusinessSchema,
  duplicateCheckAnswerSchema,
  duplicateCheckSchema,
  editBusinessSchema,
  editedBusinessSchema,
  liftBlockSchema,
  liftedBlockSchema,
  listTagsQuery,
  reactivateBusinessSchema,
  similarNamesQuery,
  similarNamesSchema,
  tagPageSchema,
} from './businesses.schema.ts'
import { familyOf } from './family/merge-records.ts'
import { createBusiness, getCreatedBusiness } from './record/create-business.ts'
import { deactivateBusiness, reactivateBusiness } from './record/deactivate-business.ts'
import { editBusiness } from './record/edit-business.ts'
import { eventsForReader } from './record/hide-values.ts'
import { listTags } from './record/list-tags.ts'
import { findPossibleDuplicates } from './record/possible-duplicates.ts'
import { leftEmptyIn, readTypedValues, withoutNone } from './record/typed-values.ts'
import { onlyValueIn } from './record/values-in-field.ts'
import { identifierRows } from './record/write-business.ts'
import { findSimilarNames } from './search/similar-names.ts'

export const businessRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const read = ({ tenantId }: UserActor, id: string) => getBusiness(store.reader, tenantId, id)

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses',
    permission: 'businesses.write',
    action: 'business.create',
    schema: {
      operationId: 'createBusiness',
      tags: ['businesses'],
      summary: 'Create a prospect; possible duplicates are returned as a hint',
      headers: idempotencyHeaders,
      body: createBusinessSchema,
      response: { 201: createdBusinessSchema },
    },
    status: 201,
    work: (tx, { body }) => createBusiness(tx, withoutNone(body)),
    location: ({ id }) => `/businesses/${id}`,
    etag: ({ version }) => version,
    answer: async ({ id }, { actor, body }) => ({
      ...(await getCreatedBusiness(store.reader, actor.tenantId, id, withoutNone(body))),
      ...leftEmptyIn(body),
    }),
  })

  app.post(
    '/businesses/duplicate-checks',
    {
      schema: {
        operationId: 'checkDuplicates',
        tags: ['businesses'],
        summary:
          'Find prospects with this name or one of these identifiers, and say what each identifier is read as; stores nothing',
        body: duplicateCheckSchema,
        response: { 200: duplicateCheckAnswerSchema },
      },
      config: { permission: 'businesses.write' },
    },
    async (request) => {
      const { name, emails, phones, domains } = request.body
      const unlabelled = (value: string) => ({ value, label: null })
      const identifiers = {
        email: emails.map(unlabelled),
        phone: phones.map(({ value, region }) => ({ value, label: null, region })),
        domain: domains.map(unlabelled),
      }
      const { tenantId } = actorOf(request)
      const rows = identifierRows(tenantId, '', identifiers)
      return {
        items: await findPossibleDuplicates(store.reader, tenantId, rows, { name }),
        unreadable: rows.flatMap(({ kind, original, region, uncertainty }) =>
          uncertainty === null || saysNone(original)
            ? []
            : [{ kind, value: original, uncertainty, contains: onlyValueIn(kind, original, region) }],
        ),
        values: readTypedValues(rows),
      }
    },
  )

  app.get(
    '/businesses/similar-names',
    {
      schema: {
        operationId: 'findSimilarNames',
        tags: ['businesses'],
        summary: 'Find prospects with a name similar to a text, and the city that the text resembles',
        querystring: similarNamesQuery,
        response: { 200: similarNamesSchema },
      },
      config: { permission: 'businesses.read' },
    },
    (request) => findSimilarNames(store, actorOf(request), request.query.q),
  )

  app.get(
    '/businesses/tags',
    {
      schema: {
        operationId: 'listTags',
        tags: ['businesses'],
        summary: 'List the tags in use, with the number of prospects',
        querystring: listTagsQuery,
        response: { 200: tagPageSchema },
      },
      config: { permission: 'businesses.read' },
    },
    (request) => listTags(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.get(
    '/businesses/:businessId',
    {
      schema: {
        operationId: 'getBusiness',
        tags: ['businesses'],
        summary: 'Get a prospect with all its identifiers',
        params: businessParams,
        response: { 200: businessSchema },
      },
      config: { permission: 'businesses.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const business = await getBusiness(store.reader, actorOf(request).tenantId, request.params.businessId)
      setEntityTag(reply, business.version)
      return business
    },
  )

  changeRoute(app, store, {
    method: 'PATCH',
    url: '/businesses/:businessId',
    permission: 'businesses.write',
    action: 'business.edit',
    schema: {
      operationId: 'editBusiness',
      tags: ['businesses'],
      summary: 'Update the given fields of a prospect, based on a version (If-Match)',
      params: businessParams,
      headers: versionHeaders,
      body: editBusinessSchema,
      response: { 200: editedBusinessSchema },
    },
    status: 200,
    work: (tx, { params, version, body }) => editBusiness(tx, params.businessId, version, withoutNone(body)),
    etag: ({ version }) => version,
    answer: (business, { body }) => ({ ...business, ...leftEmptyIn(body) }),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/do-not-contact-removal',
    permission: 'suppression.remove',
    action: 'business.unblock',
    stepUp: true,
    schema: {
      operationId: 'liftBlock',
      tags: ['suppression'],
      summary: 'Lift a block made by hand, with a reason; a matching suppression entry still blocks',
      params: businessParams,
      headers: idempotencyHeaders,
      body: liftBlockSchema,
      response: { 200: liftedBlockSchema },
    },
    status: 200,
    work: (tx, { params, body }) => liftBlock(tx, params.businessId, body.reason),
    answer: async ({ id, eventId }, { actor }) => ({
      business: await read(actor, id),
      event: await readBack(store.reader, actor.tenantId, eventId),
    }),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/deactivation',
    permission: 'businesses.deactivate',
    action: 'business.deactivate',
    schema: {
      operationId: 'deactivateBusiness',
      tags: ['businesses'],
      summary:
        'Deactivate a prospect that was created by mistake; it keeps its history and leaves lists, matching and counts',
      params: businessParams,
      headers: idempotencyHeaders,
      body: deactivateBusinessSchema,
      response: { 200: businessSchema },
    },
    status: 200,
    work: (tx, { params, body }) => deactivateBusiness(tx, params.businessId, body.reason),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => read(actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/reactivation',
    permission: 'businesses.deactivate',
    action: 'business.reactivate',
    schema: {
      operationId: 'reactivateBusiness',
      tags: ['businesses'],
      summary: 'Reactivate a deactivated prospect; merged and erased ones stay ended',
      params: businessParams,
      headers: idempotencyHeaders,
      body: reactivateBusinessSchema,
      response: { 200: businessSchema },
    },
    status: 200,
    work: (tx, { params, body }) => reactivateBusiness(tx, params.businessId, body.reason),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => read(actor, id),
  })

  app.get(
    '/businesses/:businessId/activity',
    {
      schema: {
        operationId: 'listActivity',
        tags: ['businesses'],
        summary: 'List the activity of a prospect and of those merged into it, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: auditPageSchema },
      },
      config: { permission: 'businesses.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const { tenantId } = actor
      const { businessId } = request.params
      const business = await getBusiness(store.reader, tenantId, businessId)
      const page = await listActivity({
        store,
        cursors,
        tenantId,
        businessId,
        family: await familyOf(store.reader, tenantId, businessId),
        limit: request.query.limit,
        cursor: request.query.cursor,
      })
      const events = page.items.map((event) => withOwnKeys(actor, event))
      return { ...page, items: await eventsForReader({ db: store.reader, keys: store.keys }, actor, business, events) }
    },
  )
}
