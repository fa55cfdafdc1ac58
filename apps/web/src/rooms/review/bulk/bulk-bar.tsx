import { Button } from '@mantine/core'
import type { FilterInput } from '@prospect/api-client'
import { useSession } from '../../../ui/api/session.ts'
import { lazyPart, usePrefetchParts } from '../../../ui/lazy/lazy-part.tsx'
import type { BulkActions } from '../../../ui/lists/list-types.ts'
import { countWords } from '../../../ui/text/count-words.ts'

const BulkButtons = lazyPart('bulk', () => import('./bulk-buttons.tsx').then((module) => module.BulkButtons))
const nextParts = [BulkButtons]

/** Bulk actions of a list of prospects; undefined if the user may not run bulk actions. */
export function useBulkActions(conditions: FilterInput): BulkActions | undefined {
  const { permissions } = useSession()
  usePrefetchParts(nextParts)
  if (!permissions.includes('review.bulk')) return undefined
  return {
    actions: (selection) => <BulkButtons selection={selection} conditions={conditions} />,
    matching: ({ matching, selectMatching }) => (
      <Button variant="default" size="compact-sm" onClick={selectMatching}>
        {matching === null
          ? 'Select all that match'
          : `Select all ${countWords(matching, 'prospect', 'prospects')} that match`}
      </Button>
    ),
  }
}
