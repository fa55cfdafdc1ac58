import type { SavedFilter } from '@prospect/api-client'
import { nameText } from '../../../ui/text/name-text.ts'

export const deskNames: Readonly<Record<SavedFilter['desk'], string>> = {
  prospects: 'Prospects',
  review: 'Review queue',
}

export function sharingWords({ sharing, isLocked }: Pick<SavedFilter, 'sharing' | 'isLocked'>): string {
  if (sharing === 'private') return 'Private'
  return isLocked ? 'Shared, locked' : 'Shared'
}

/** Formats as 'tag “solar”: removed from the workspace, so the condition matches nothing'. */
export function problemWords({ field, problem, value }: SavedFilter['problems'][number]): string {
  const named = value === null ? field : `${field} “${nameText(value)}”`
  if (problem === 'removed') return `${named}: removed from the workspace, so the condition matches nothing`
  if (problem === 'erased') return `${named}: its value was erased`
  return `${named}: cannot be read`
}
