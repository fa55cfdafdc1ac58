import type { SavedFilter } from '@prospect/api-client'

export const deskNames: Readonly<Record<SavedFilter['desk'], string>> = {
  prospects: 'Prospects',
  review: 'Review queue',
}

export function sharingWords({ sharing, isLocked }: Pick<SavedFilter, 'sharing' | 'isLocked'>): string {
  if (sharing === 'private') return 'Private'
  return isLocked ? 'Shared, locked' : 'Shared'
}

export function problemWords({ field, problem }: SavedFilter['problems'][number]): string {
  return problem === 'erased' ? `${field}: this value was erased` : `${field}: cannot be read`
}
