import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import type { Tx } from '../../../store/change/change.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type { ContactValue, NormalizedContact } from '../../contact-gate/contact-gate.ts'
import { type IdentifierKind, NORMALIZATION_VERSION, normalizeIdentifier } from '../../normalization/normalization.ts'
import type { BusinessIdentifierTable, BusinessTable, BusinessTagTable } from '../businesses.table.ts'
import { fold } from '../search/fold.rules.ts'
import { factColumns } from './facts.ts'

/** Typed identifiers in the form that creating and editing share. */
export type IdentifierInput = { value: string; label: string | null; region?: string | null }
export type Identifiers = Record<IdentifierKind, readonly IdentifierInput[]>

export function identifierRows(
  tenantId: string,
  businessId: string,
  identifiers: Identifiers,
): BusinessIdentifierTable[] {
  const rowsOf = (kind: IdentifierKind) =>
    identifiers[kind].map(({ value, label, region = null }, position) => ({
      tenant_id: tenantId,
      business_id: businessId,
      kind,
      position,
      original: value,
      label,
      region,
      ...normalizeIdentifier(kind, value, region),
      normalization_version: NORMALIZATION_VERSION,
    }))
  return [...rowsOf('email'), ...rowsOf('phone'), ...rowsOf('domain')]
}

/** Converts identifiers to contact values for the gate. */
export function contactValues({ email, phone, domain }: Identifiers): ContactValue[] {
  const valuesOf = (kind: IdentifierKind, inputs: readonly IdentifierInput[]) =>
    inputs.map(({ value, region = null }) => ({ kind, value, region }))
  return [...valuesOf('email', email), ...valuesOf('phone', phone), ...valuesOf('domain', domain)]
}

/** Converts a normalized identifier to a contact value for the gate. */
export function readContact({ kind, original, region, normalized }: BusinessIdentifierTable): NormalizedContact {
  return { kind, value: original, region, normalized }
}

/** Returns the first identifier of each kind, which the business row stores for lists. Expects the identifiers in the order of their positions. */
export function primaries(
  identifiers: readonly Pick<BusinessIdentifierTable, 'kind' | 'original' | 'normalized'>[],
): Pick<BusinessTable, 'primary_email' | 'primary_phone' | 'primary_phone_normalized' | 'primary_domain'> {
  const first = (kind: IdentifierKind) => identifiers.find((identifier) => identifier.kind === kind)
  const phone = first('phone')
  return {
    primary_email: first('email')?.original ?? null,
    primary_phone: phone?.original ?? null,
    primary_phone_normalized: phone?.normalized ?? null,
    primary_domain: first('domain')?.original ?? null,
  }
}

/** Returns the comparison key of a tag: tags that differ only in case, or in the encoding of accents, are equal. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase()
}

/** Returns the name to store: the registered name, or else the trading name. Errors: `invalid_request` if both are unknown. */
export function requireName(name: string | null, tradingName: string | null): string {
  const known = name ?? tradingName
  if (known !== null) return known
  const message = 'Enter a registered name or a trading name.'
  throw new AppError('invalid_request', message, { errors: [{ path: 'name', code: 'required', message }] })
}

export const insertBusiness = preparedInsert('businesses', [
  'tenant_id',
  'id',
  'version',
  'created_at',
  'created_by',
  'updated_at',
  ...factColumns,
  'name_key',
  'name_stands_in',
  'province_code',
  'tags',
  'assignee_id',
  'primary_email',
  'primary_phone',
  'primary_phone_normalized',
  'primary_domain',
  'status',
  'merged_into',
  'deactivated_at',
  'deactivated_by',
  'pipeline_state',
  'state_before_pause',
  'do_not_contact',
  'blocked_at',
  'blocked_by',
  'blocked_reason',
  'blocked_through',
  'has_evidence',
  'evidence_count',
  'last_interaction_at',
  'last_outcome',
  'follow_up_on',
  'normalization_version',
  'doubts',
  'has_person',
])

const insertIdentifier = preparedInsert('business_identifiers', [
  'tenant_id',
  'business_id',
  'kind',
  'position',
  'original',
  'label',
  'region',
  'normalized',
  'uncertainty',
  'normalization_version',
])

const insertTag = prepared<Omit<BusinessTagTable, 'listed_at'>>()(
  (_db, param) =>
    sql`INSERT INTO business_tags (tenant_id, tag_key, listed_at, business_id, tag)
        SELECT tenant_id, ${param('tag_key')}, CASE status WHEN 'active' THEN updated_at ELSE '' END, id, ${param('tag')}
        FROM businesses WHERE tenant_id = ${param('tenant_id')} AND id = ${param('business_id')}`,
)

const deleteTag = prepared<Omit<BusinessTagTable, 'tag' | 'listed_at'>>()((db, param) =>
  db
    .deleteFrom('business_tags')
    .where('tenant_id', '=', param('tenant_id'))
    .where('tag_key', '=', param('tag_key'))
    .where('business_id', '=', param('business_id')),
)

export async function writeIdentifiers(tx: Tx, rows: readonly BusinessIdentifierTable[]): Promise<void> {
  for (const row of rows) await insertIdentifier(tx.db, row)
}

export async function writeTags(tx: Tx, businessId: string, tags: readonly string[]): Promise<void> {
  for (const tag of tags) {
    await insertTag(tx.db, { tenant_id: tx.actor.tenantId, tag_key: tagKey(tag), business_id: businessId, tag })
  }
}

/** Writes only the changed tags. Each row is addressed by its whole key, because by the business alone SQLite would read all tags of the tenant. */
export async function replaceTags(
  tx: Tx,
  businessId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const tag of before.filter((one) => !after.includes(one))) {
    await deleteTag(tx.db, { tenant_id: tx.actor.tenantId, tag_key: tagKey(tag), business_id: businessId })
  }
  const added = after.filter((one) => !before.includes(one))
  await writeTags(tx, businessId, added)
}

export function nameKey(name: string): string {
  return fold(name)
}
