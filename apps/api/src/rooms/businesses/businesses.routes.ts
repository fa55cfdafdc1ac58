import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
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
  normalizeAddressesSchema,
  normalizedAddressesSchema,
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
import { normalizeAddresses } from './record/normalize-addresses.ts'
import { findPossibleDuplicates } from './record/possible-duplicates.ts'
import { leftEmptyIn, readTypedValues, withoutNone } from './record/typed-values.ts'
import { onlyValueIn } from './record/values-in-field.ts'
import { identifierRows } from './record/write-business.ts'
import { findSimilarNames } from './search/similar-names.ts'

export const businessRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'businesses' })

  const read = ({ tenantId }: UserActor, id: string) => getBusiness(store.reader, tenantId, id)

  route.change({
    url: '/businesses',
    id: 'createBusiness',
    summary: 'Create a prospect; possible duplicates are returned as a hint',
    permission: 'businesses.write',
    action: 'business.create',
    body: createBusinessSchema,
    response: createdBusinessSchema,
    work: (tx, { body }) => createBusiness(tx, withoutNone(body)),
    location: ({ id }) => `/businesses/${id}`,
    etag: ({ version }) => version,
    answer: async ({ id }, { actor, body }) => ({
      ...(await getCreatedBusiness(store.reader, actor.tenantId, id, withoutNone(body))),
      ...leftEmptyIn(body),
    }),
  })

  route.read({
    url: '/address-normalizations',
    id: 'normalizeAddresses',
    summary: 'Divide addresses into their parts, with province and doubts; nothing is stored',
    permission: 'businesses.read',
    body: normalizeAddressesSchema,
    response: normalizedAddressesSchema,
    answer: async ({ body }) => ({ items: await normalizeAddresses(body) }),
  })

  route.read({
    url: '/businesses/duplicate-checks',
    id: 'checkDuplicates',
    summary:
      'Find prospects with this name or one of these identifiers, and say what each identifier is read as; stores nothing',
    permission: 'businesses.write',
    body: duplicateCheckSchema,
    response: duplicateCheckAnswerSchema,
    answer: async ({ actor: { tenantId }, body }) => {
      const { name, emails, phones, domains } = body
      const unlabelled = (value: string) => ({ value, label: null })
      const identifiers = {
        email: emails.map(unlabelled),
        phone: phones.map(({ value, region }) => ({ value, label: null, region })),
        domain: domains.map(unlabelled),
      }
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
  })

  route.read({
    url: '/businesses/similar-names',
    id: 'findSimilarNames',
    summary: 'Find prospects with a name similar to a text, and the city that the text resembles',
    permission: 'businesses.read',
    query: similarNamesQuery,
    response: similarNamesSchema,
    answer: ({ actor, query }) => findSimilarNames(store, actor, query.q),
  })

  route.read({
    url: '/businesses/tags',
    id: 'listTags',
    summary: 'List the tags in use, with the number of prospects',
    permission: 'businesses.read',
    query: listTagsQuery,
    response: tagPageSchema,
    answer: ({ actor, query }) => listTags(store, cursors, actor.tenantId, query),
  })

  route.read({
    url: '/businesses/:businessId',
    id: 'getBusiness',
    summary: 'Get a prospect with all its identifiers',
    permission: 'businesses.read',
    params: businessParams,
    response: businessSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getBusiness(store.reader, actor.tenantId, params.businessId),
  })

  route.change({
    method: 'PATCH',
    url: '/businesses/:businessId',
    id: 'editBusiness',
    summary: 'Update the given fields of a prospect, based on a version (If-Match)',
    permission: 'businesses.write',
    action: 'business.edit',
    params: businessParams,
    body: editBusinessSchema,
    response: editedBusinessSchema,
    work: (tx, { params, version, body }) => editBusiness(tx, params.businessId, version, withoutNone(body)),
    etag: ({ version }) => version,
    answer: (business, { body }) => ({ ...business, ...leftEmptyIn(body) }),
  })

  route.change({
    url: '/businesses/:businessId/do-not-contact-removal',
    id: 'liftBlock',
    summary: 'Lift a block made by hand, with a reason; a matching suppression entry still blocks',
    tag: 'suppression',
    permission: 'suppression.remove',
    action: 'business.unblock',
    stepUp: true,
    params: businessParams,
    body: liftBlockSchema,
    response: liftedBlockSchema,
    work: (tx, { params, body }) => liftBlock(tx, params.businessId, body.reason),
    answer: async ({ id, eventId }, { actor }) => ({
      business: await read(actor, id),
      event: await readBack(store.reader, actor.tenantId, eventId),
    }),
  })

  route.change({
    url: '/businesses/:businessId/deactivation',
    id: 'deactivateBusiness',
    summary:
      'Deactivate a prospect that was created by mistake; it keeps its history and leaves lists, matching and counts',
    permission: 'businesses.deactivate',
    action: 'business.deactivate',
    params: businessParams,
    body: deactivateBusinessSchema,
    response: businessSchema,
    work: (tx, { params, body }) => deactivateBusiness(tx, params.businessId, body.reason),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => read(actor, id),
  })

  route.change({
    url: '/businesses/:businessId/reactivation',
    id: 'reactivateBusiness',
    summary: 'Reactivate a deactivated prospect; merged and erased ones stay ended',
    permission: 'businesses.deactivate',
    action: 'business.reactivate',
    params: businessParams,
    body: reactivateBusinessSchema,
    response: businessSchema,
    work: (tx, { params, body }) => reactivateBusiness(tx, params.businessId, body.reason),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => read(actor, id),
  })

  route.read({
    url: '/businesses/:businessId/activity',
    id: 'listActivity',
    summary: 'List the activity of a prospect and of those merged into it, newest first',
    permission: 'businesses.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: auditPageSchema,
    answer: async ({ actor, params, query }) => {
      const { tenantId } = actor
      const { businessId } = params
      const business = await getBusiness(store.reader, tenantId, businessId)
      const page = await listActivity({
        store,
        cursors,
        tenantId,
        businessId,
        family: await familyOf(store.reader, tenantId, businessId),
        limit: query.limit,
        cursor: query.cursor,
      })
      const events = page.items.map((event) => withOwnKeys(actor, event))
      return { ...page, items: await eventsForReader({ db: store.reader, keys: store.keys }, actor, business, events) }
    },
  })
}
