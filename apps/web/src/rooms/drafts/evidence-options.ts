import type { Evidence } from '@prospect/api-client'
import { fieldName } from '../../ui/text/field-names.ts'
import { nameText } from '../../ui/text/name-text.ts'

const SHOWN = 80

/** Menu options for the observations that are not superseded. */
export function evidenceOptions(items: readonly Evidence[]): { value: string; label: string }[] {
  return items
    .filter(({ supersededById }) => supersededById === null)
    .map((one) => ({ value: one.id, label: evidenceWords(one) }))
}

/** An observation in one line: field and value, then its text. */
export function evidenceWords({
  field,
  value,
  observation,
}: Pick<Evidence, 'field' | 'value' | 'observation'>): string {
  const stated = field === null ? '' : `${fieldName(field)}: ${value ?? ''} `
  return nameText(`${stated}${observation ?? ''}`.trim().slice(0, SHOWN))
}
