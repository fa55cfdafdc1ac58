/** What a draft of the form looks like in the browser's storage, and whether a stored one still fits. */
import {
  addressParts,
  emptyRow,
  emptyValues,
  type IdentifierRow,
  type ProspectFormValues,
  plainFields,
} from './prospect-form.ts'

type Stored = Record<string, unknown>

const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null
const text = (value: unknown) => (typeof value === 'string' ? value : '')

function rows(value: unknown): IdentifierRow[] {
  if (!Array.isArray(value)) return [emptyRow()]
  const found = value.filter(isStored).map((row) => ({
    ...emptyRow(),
    value: text(row.value),
    label: text(row.label),
    region: text(row.region),
  }))
  return found.length === 0 ? [emptyRow()] : found
}

/** Reads stored values leniently: a field that a newer version added is blank, one that it dropped is left out. */
export function parseValues(value: unknown): ProspectFormValues | null {
  if (!isStored(value)) return null
  const values = emptyValues()
  for (const field of plainFields) values[field] = text(value[field])
  const address = isStored(value.address) ? value.address : {}
  for (const part of addressParts) values.address[part] = text(address[part])
  values.emails = rows(value.emails)
  values.phones = rows(value.phones)
  values.domains = rows(value.domains)
  values.tags = Array.isArray(value.tags) ? value.tags.filter((tag) => typeof tag === 'string') : []
  values.assigneeId = typeof value.assigneeId === 'string' ? value.assigneeId : null
  return values
}

/** What the person's changes are measured against: from the version on, a later change by someone else is noticed. */
export type EditStart = { version: number; base: ProspectFormValues; standing: Standing | null }
export type EditDraft = EditStart & { values: ProspectFormValues }

/** What the form does not edit and a colleague may change meanwhile; null in a draft of a version that did not keep it. */
export type Standing = { pipelineState: string; isBlocked: boolean; updatedAt: string }

export function parseEditDraft(value: unknown): EditDraft | null {
  if (!isStored(value) || typeof value.version !== 'number') return null
  const base = parseValues(value.base)
  const values = parseValues(value.values)
  const standing = parseStanding(value.standing)
  return base === null || values === null ? null : { version: value.version, base, standing, values }
}

function parseStanding(value: unknown): Standing | null {
  if (!isStored(value)) return null
  const { pipelineState, isBlocked, updatedAt } = value
  const fits = typeof pipelineState === 'string' && typeof isBlocked === 'boolean' && typeof updatedAt === 'string'
  return fits ? { pipelineState, isBlocked, updatedAt } : null
}
