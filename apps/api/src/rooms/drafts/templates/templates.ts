import { requireVersion } from '../../../http/conditional.ts'
import { type Cursors, newestFirst, type Page } from '../../../http/pagination.ts'
import { actorKey, actorRef, type UserActor } from '../../../lib/actor.ts'
import { AppError, invalidField, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { readMergeFields } from '../content/merge-fields.rules.ts'
import { templateQuota } from '../drafts.quota.ts'
import type { DraftTemplateTable } from '../drafts.table.ts'
import type { CreateTemplate, EditTemplate, ListTemplates, Template } from './templates.schema.ts'

/* Texts to begin a draft with. A draft copies the text, so a changed or deleted template changes no draft. */

type Row = DraftTemplateTable & { creator_name: string | null }

const templatesWithNames = (db: Db, tenantId: string) =>
  db
    .selectFrom('draft_templates as t')
    .leftJoin('users as creator', 'creator.id', 't.created_by')
    .selectAll('t')
    .select('creator.name as creator_name')
    .where('t.tenant_id', '=', tenantId)

/** Errors: `not_found`. */
export async function getTemplate(db: Db, tenantId: string, id: string): Promise<Template> {
  return toTemplate(await templatesWithNames(db, tenantId).where('t.id', '=', id).executeTakeFirstOrThrow(notFound))
}

/** Newest first. */
export function listTemplates(
  store: Store,
  cursors: Cursors,
  { tenantId }: UserActor,
  query: ListTemplates,
): Promise<Page<Template>> {
  const { channel } = query
  const templates = (db: Db) =>
    templatesWithNames(db, tenantId).$if(channel !== undefined, (rows) =>
      rows.where('t.channel', '=', channel ?? 'email'),
    )
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['draft templates', tenantId, channel ?? ''],
    query,
    count: templates,
    fetch: (before, limit) =>
      templates(store.reader)
        .$if(before !== undefined, (rows) => rows.where('t.id', '<', before ?? ''))
        .orderBy('t.id', 'desc')
        .limit(limit)
        .execute(),
    toItem: toTemplate,
  })
}

/** Errors: `limit_reached`, `unknown_field`, `invalid_request` (the subject). */
export async function createTemplate(tx: Tx, input: CreateTemplate): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  await requireRoom(tx, templateQuota)
  requireUsable(input)
  const id = newId()
  const { name, channel, purpose, language, subject = null, text } = input
  await tx.db
    .insertInto('draft_templates')
    .values({
      tenant_id: tenantId,
      id,
      version: 1,
      ...{ name, channel, purpose, language, subject, text },
      created_at: tx.at,
      created_by: actorKey(tx.actor),
      updated_at: tx.at,
    })
    .execute()
  await tx.record({ subject: { type: 'draft_template', id }, after: { name, channel, purpose, language } })
  return { id }
}

/** Errors: `not_found`, `version_conflict`, `unknown_field`, `invalid_request` (the subject). */
export async function editTemplate(
  tx: Tx,
  { id, version, input }: { id: string; version: number; input: EditTemplate },
): Promise<{ id: string; version: number }> {
  const { tenantId } = tx.actor
  const before = await getTemplate(tx.db, tenantId, id)
  requireVersion(version, before.version)
  const { name = before.name, channel = before.channel, purpose = before.purpose } = input
  const { language = before.language, subject = before.subject, text = before.text } = input
  requireUsable({ channel, subject, text })
  await tx.db
    .updateTable('draft_templates')
    .set({ name, channel, purpose, language, subject, text, version: version + 1, updated_at: tx.at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await tx.record({ subject: { type: 'draft_template', id }, after: { name, channel, purpose, language } })
  return { id, version: version + 1 }
}

/** Errors: `not_found`. */
export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  const { tenantId } = tx.actor
  const { name } = await getTemplate(tx.db, tenantId, id)
  await tx.db.deleteFrom('draft_templates').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await tx.record({ subject: { type: 'draft_template', id }, before: { name }, after: null })
}

function requireUsable({ channel, subject, text }: Pick<CreateTemplate, 'channel' | 'subject' | 'text'>): void {
  requireKnownFields('subject', subject ?? '')
  requireKnownFields('text', text)
  if (subject != null && channel !== 'email') throw subjectNotAllowed()
}

/** Only an email has a subject: another channel would lose it. */
function subjectNotAllowed(): AppError {
  return invalidField('subject', 'not_allowed', 'Only an email has a subject. Leave it empty.')
}

/** Throws `unknown_field` if the text has a merge field that does not exist. The error names each such field with its position. */
export function requireKnownFields(path: string, text: string): void {
  const { unknown } = readMergeFields(text)
  if (unknown.length === 0) return
  throw new AppError('unknown_field', 'The text contains a field that does not exist. Choose a field from the list.', {
    errors: unknown.map(({ name, at }) => ({
      path,
      code: 'unknown_field',
      message: `There is no field "${name.slice(0, 60)}" (at character ${at + 1}).`,
    })),
  })
}

function toTemplate(row: Row): Template {
  const { id, version, name, channel, purpose, language, subject, text } = row
  return {
    ...{ id, version, name, channel, purpose, language, subject, text },
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    updatedAt: row.updated_at,
  }
}
