import type { EditedBusiness } from '@prospect/api-client'
import { plural } from '../../../ui/text/count-words.ts'
import { nameText } from '../../../ui/text/name-text.ts'

/** Sentence about the sent values that were not stored, because they say that there is none. Returns an empty text if there are none. */
export function leftEmptyWords({ leftEmpty = [] }: Pick<EditedBusiness, 'leftEmpty'>): string {
  if (leftEmpty.length === 0) return ''
  const values = [...new Set(leftEmpty.map(({ value }) => `“${nameText(value)}”`))]
  return `. ${values.join(', ')} ${plural(values.length, 'was', 'were')} not stored, because the text means “no value”`
}
