/** Validation of the form drafts in the browser's storage. */
import { addressParts, plainFacts } from '../../../ui/text/facts.ts'
import { emptyRow, emptyValues, type IdentifierRow, type ProspectFormValues } from './prospect-form.ts'

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

/** Parses stored values leniently: a field that a newer version added is blank, and one that it removed is ignored. */
export function parseValues(value: unknown): ProspectFormValues | null {
  if (!isStored(value)) return null
  const values = emptyValues()
  for (const field of plainFacts) values[field] = text(value[field])
  const address = isStored(value.address) ? value.address : {}
  for (const part of addressParts) values.address[part] = text(address[part])
  values.emails = rows(value.emails)
  values.phones = rows(value.phones)
  values.domains = rows(value.domains)
  values.tags = Array.isArray(value.tags) ? value.tags.filter((tag) => typeof tag === 'string') : []
  values.assigneeId = typeof value.assigneeId === 'string' ? value.assigneeId : null
  return values
}

/** State of the record when the edit began. The person's changes are computed from it, and it reveals later changes by other people. */
export type EditStart = { version: number; base: ProspectFormValues; standing: Standing | null }
export type EditDraft = EditStart & { values: ProspectFormValues }

/** Properties that the form does not edit but a colleague may change during the edit; null in drafts of older versions, which did not store them. */
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
