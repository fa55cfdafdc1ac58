import { countWords } from '../../ui/text/count-words.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { listWords } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { isMergeField, type MergeDraft, missingIn, takenFromOther } from './merge-draft.ts'
import type { Pair } from './pair-changes.ts'

/** Describes what the merge will do, and what it still requires: 'Keeps A with 2 values of B. Choose the pipeline state. Enter a reason.' */
export function mergeSummary({ suggestion, preview }: Pair, draft: MergeDraft): string {
  const { survivor, reason, ...fields } = missingIn(preview.fields, draft)
  if (survivor !== undefined) return survivor
  const [a, b] = suggestion.businesses
  const [kept, other] = draft.survivorId === a.id ? [a, b] : [b, a]
  const taken = takenFromOther(preview.fields, [a.id, b.id], draft).length
  const values = taken === 0 ? '' : ` with ${countWords(taken, 'value', 'values')} of ${nameText(other.name)}`
  const open = Object.keys(fields)
    .filter(isMergeField)
    .map((field) => fieldName(field).toLowerCase())
  return [
    `Keeps ${nameText(kept.name)}${values}.`,
    ...(open.length === 0 ? [] : [`Choose the ${listWords(open)}.`]),
    ...(reason === undefined ? [] : ['Enter a reason.']),
  ].join(' ')
}
