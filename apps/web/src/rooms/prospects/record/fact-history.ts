/** Earlier values of a fact, from the activity of the record, and the values of merged records. */
import type { ActorRef, AuditEvent, EvidenceField, Merge } from '@prospect/api-client'
import type { IdentifierList } from './prospect-form.ts'

/** A value that the record no longer has. `label` and `region` are those of a contact value. */
export type EarlierValue = {
  id: string
  value: string
  label: string | null
  region: string | null
  /** When it was replaced or removed. */
  until: string
  by: ActorRef
  /** Record that had the value: the record itself, or one that was merged into it. */
  businessId: string | null
}

/** The two values of a field when two records were merged. */
export type MergedValue = {
  mergeId: string
  at: string
  by: ActorRef
  reason: string
  /** True if a person chose the value; false if it is that of the record that was kept. */
  isChosen: boolean
  standing: { value: string; of: string }
  other: { value: string; of: string }
}

type Body = Record<string, unknown>
const bodyOf = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {})
const textOf = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : null

const lists: Partial<Record<EvidenceField, IdentifierList>> = { email: 'emails', phone: 'phones', domain: 'domains' }

type Row = Pick<EarlierValue, 'value' | 'label' | 'region'>

function rowsIn(body: Body, list: IdentifierList): Row[] {
  const rows = Array.isArray(body[list]) ? body[list].map(bodyOf) : []
  return rows.flatMap((row) => {
    const value = textOf(row.value)
    return value === null ? [] : [{ value, label: textOf(row.label), region: textOf(row.region) }]
  })
}

function plainIn(body: Body, field: EvidenceField): string | null {
  const [head = '', part] = field.split('.')
  return textOf(part === undefined ? body[head] : bodyOf(body[head])[part])
}

/** Returns the values that an event took from the field. */
function takenBy({ before, after }: AuditEvent, field: EvidenceField): Row[] {
  const [earlier, later] = [bodyOf(before), bodyOf(after)]
  const list = lists[field]
  if (list !== undefined) {
    if (!(list in later)) return []
    const kept = new Set(rowsIn(later, list).map(({ value }) => value))
    return rowsIn(earlier, list).filter(({ value }) => !kept.has(value))
  }
  const value = plainIn(earlier, field)
  const isChanged = (field.split('.')[0] ?? '') in later && value !== plainIn(later, field)
  return value === null || !isChanged ? [] : [{ value, label: null, region: null }]
}

/** Values that the field had before, newest first. `events`: newest first. */
export function earlierValues(events: readonly AuditEvent[], field: EvidenceField): EarlierValue[] {
  return events
    .filter(({ subject, erased }) => subject.type === 'business' && !erased)
    .flatMap((event) =>
      takenBy(event, field).map((row, index) => ({
        ...row,
        id: `${event.id}-${index}`,
        until: event.at,
        by: event.actor,
        businessId: event.businessId,
      })),
    )
}

/** Ids of the merges into the record, newest first. */
export function mergesIn(events: readonly AuditEvent[]): string[] {
  const ids = events
    .filter(({ action, after }) => action === 'matching.merge' && textOf(bodyOf(after).merged) !== null)
    .flatMap(({ after }) => textOf(bodyOf(after).mergeId) ?? [])
  return [...new Set(ids)]
}

/** Values of both records in the merges that were not undone, where these differed. */
export function mergedValues(merges: readonly Merge[], field: EvidenceField): MergedValue[] {
  return merges.flatMap(({ id, mergedAt, mergedBy, reason, reversal, choices, survivor, loser }) => {
    const choice = reversal === null ? choices?.find((one) => one.field === field) : undefined
    if (choice === undefined || choice.value === null) return []
    const nameOf = (record: string) => (record === survivor.id ? survivor.name : loser.name)
    return [
      {
        mergeId: id,
        at: mergedAt,
        by: mergedBy,
        reason,
        isChosen: choice.chosen,
        standing: { value: choice.value, of: nameOf(choice.from) },
        other: { value: choice.alternative.value, of: nameOf(choice.alternative.from) },
      },
    ]
  })
}
