import type { Adapter } from '@prospect/adapter-contract/adapter'
import { invalidRequest } from '../../../http/validation.ts'
import type { FieldError } from '../../../lib/app-error.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { AdapterRef, Contract } from './contract.rules.ts'

/*
 * Compares a contract with the declaration of its adapter. A contract that does not fit would be approved by three people and then permit no query.
 * A contract may be proposed before its adapter is loaded, so the status of a source contains the same comparison, and approval and enablement
 * require the status.
 */

/** A part of a contract that the loaded adapter does not accept. `path` is relative to the contract. */
export type Mismatch = FieldError & { item: 'purposes' | 'scope' | 'settings' }

/** The adapter to which a source is bound, if that version is loaded. */
export function loadedAdapter({ id, version }: AdapterRef, { items }: LoadedAdapters): Adapter | undefined {
  return items.find((adapter) => adapter.id === id && adapter.version === version)
}

/** Returns the parts of a contract that the loaded adapter does not accept. Empty if its version is not loaded, because nothing can be compared then. */
export function mismatchesOf(ref: AdapterRef, adapters: LoadedAdapters, contract: Contract): Mismatch[] {
  const adapter = loadedAdapter(ref, adapters)
  if (adapter === undefined) return []
  return [
    ...purposeMismatches(adapter, contract),
    ...scopeMismatches(adapter, contract),
    ...settingsMismatches(adapter, contract),
  ]
}

const nameOf = ({ id, version }: Adapter) => `The adapter ${id} ${version}`

function purposeMismatches(adapter: Adapter, { purposes = [] }: Contract): Mismatch[] {
  const served = adapter.declaration.purposes
  const others = purposes.filter((purpose) => !served.includes(purpose))
  if (others.length === 0) return []
  const message = `${nameOf(adapter)} does not serve ${others.join(', ')}. It serves: ${served.join(', ')}.`
  return [{ item: 'purposes', path: 'purposes', code: 'not_served', message }]
}

function scopeMismatches(adapter: Adapter, { scope }: Contract): Mismatch[] {
  if (scope === undefined) return []
  const { answerFields, minRecords } = adapter.declaration
  const known = [...answerFields.always, ...answerFields.onRequest]
  const unknown = scope.fields.filter((field) => !known.includes(field))
  const omitted = answerFields.always.filter((field) => !scope.fields.includes(field))
  const found: Mismatch[] = []
  const refuse = (path: string, code: string, message: string) => found.push({ item: 'scope', path, code, message })
  if (unknown.length > 0) {
    const noun = unknown.length === 1 ? 'the field' : 'the fields'
    const message = `${nameOf(adapter)} does not know ${noun} ${unknown.join(', ')}. Its fields: ${known.join(', ')}.`
    refuse('scope.fields', 'unknown_field', message)
  }
  if (omitted.length > 0) {
    const message = `Every answer of the adapter contains ${omitted.join(', ')}. Without ${omitted.length === 1 ? 'this field' : 'these fields'} no query is permitted.`
    refuse('scope.fields', 'field_omitted', message)
  }
  if (scope.maxRecords < minRecords) {
    const message = `A query of the adapter needs at least ${numeral(minRecords)} records.`
    refuse('scope.maxRecords', 'too_few', message)
  }
  return found
}

function settingsMismatches({ settingsSchema }: Adapter, { settings = {} }: Contract): Mismatch[] {
  const parsed = settingsSchema.safeParse(settings)
  if (parsed.success) return []
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['settings', ...issue.path] }))
  return (invalidRequest(issues).details.errors ?? []).map((error) => ({ ...error, item: 'settings' }))
}

/** Describes mismatches of one item in a sentence. */
export function mismatchSentence(mismatches: readonly Mismatch[]): string {
  return mismatches
    .map(({ item, path, message }) =>
      item === 'settings' ? `${path.replace(/^settings\.?/, '')}: ${message}` : message,
    )
    .join(' ')
}
