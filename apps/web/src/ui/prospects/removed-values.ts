/** Words of the values of a filter that no longer exist in the workspace. */
import type { RemovedFilterValue } from '@prospect/api-client'
import { nameText } from '../text/name-text.ts'

export type RemovedField = RemovedFilterValue['field']

const fieldNames: Readonly<Record<RemovedField, string>> = {
  assignee: 'assignee',
  tag: 'tag',
  sourceLabel: 'source label',
  priority: 'priority',
  reachable: 'possible priority',
}

/** Names the value: 'tag “solar”', 'assignee Ben Botha'. A person without a known name is 'one assignee'. */
export function removedName({ field, value, name }: Pick<RemovedFilterValue, 'field' | 'value' | 'name'>): string {
  if (field !== 'assignee') return `${fieldNames[field]} “${nameText(value)}”`
  return name === null ? 'one assignee' : `assignee ${nameText(name)}`
}

const effectWords: Readonly<Record<RemovedFilterValue['effect'], string>> = {
  matches_nothing: 'this condition matches no prospect',
  ignored: 'this value is ignored',
  still_matches: 'the condition still finds the prospects that are assigned to this person',
}

/** Formats as 'The tag “solar” no longer exists: this condition matches nothing'. */
export function removedWords(removed: RemovedFilterValue): string {
  const named = removedName(removed)
  const subject = named === 'one assignee' ? 'One assignee' : `The ${named}`
  return `${subject} ${removed.field === 'assignee' ? 'has left the workspace' : 'no longer exists'}: ${effectWords[removed.effect]}`
}
