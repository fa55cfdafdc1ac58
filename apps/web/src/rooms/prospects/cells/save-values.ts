/** Saving an edit in place: the same body, version and merge of versions as the form of the record. */
import type { Business, BusinessEdit, EditedBusiness } from '@prospect/api-client'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { isUnchanged, type ProspectFormValues, patchBody, valuesFrom } from '../record/prospect-form.ts'
import { compareVersions, conflictsOf, mergeVersions } from '../record/stale-edit.ts'

export type RecordApi = {
  read: () => Promise<Business>
  patch: (body: BusinessEdit, version: number) => Promise<EditedBusiness>
}

/** What a person saw before the edit, and what they want it to be. */
export type ValuesEdit = { base: ProspectFormValues; version: number; mine: ProspectFormValues }

export type EditOutcome =
  | { kind: 'unchanged' }
  /** `before`: the values that the edit replaced, for Undo. */
  | { kind: 'saved'; business: EditedBusiness; before: ProspectFormValues }
  /** The same field was changed by someone else: a person chooses. */
  | { kind: 'conflict'; edit: ValuesEdit; stored: Business }

/** Others may save between each read and write; after so many times the refusal is shown. */
const MAX_TRIES = 4

/**
 * Saves an edit with the version that the person saw. When others changed only other fields, their version is kept and the edit is applied to
 * it; when they changed the same field, the edit is returned as a conflict and nothing is written. Rejects with the refusal of the API.
 */
export async function saveValues(api: RecordApi, edit: ValuesEdit): Promise<EditOutcome> {
  let { base, version, mine } = edit
  for (let tries = 1; ; tries += 1) {
    if (isUnchanged(base, mine)) return { kind: 'unchanged' }
    try {
      return { kind: 'saved', business: await api.patch(patchBody(base, mine), version), before: base }
    } catch (error) {
      if (!isProblem(error, 'version_conflict') || tries === MAX_TRIES) throw error
    }
    const stored = await api.read()
    const theirs = valuesFrom(stored)
    if (conflictsOf(compareVersions(base, theirs, mine)).length > 0)
      return { kind: 'conflict', edit: { base, version, mine }, stored }
    mine = mergeVersions(base, theirs, mine, {})
    base = theirs
    version = stored.version
  }
}

/** The edit that takes a saved one back. */
export const undoOf = (saved: Business, before: ProspectFormValues): ValuesEdit => ({
  base: valuesFrom(saved),
  version: saved.version,
  mine: before,
})
