import { readWholeNumber } from '../whole-numbers.rules.ts'
import { different, type FieldRule, same } from './agreement.ts'

/** Whole numbers, with or without separators of groups. A range or an approximate number cannot be compared. */
export const wholeNumberRule: FieldRule<number> = {
  read: readWholeNumber,
  compare: (one, other) => (one === other ? same : different),
}
