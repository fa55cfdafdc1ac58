import { Button } from '@mantine/core'
import type { RemovedFilterValue } from '@prospect/api-client'
import { removedName, removedWords } from './removed-values.ts'

type Props = {
  removed: readonly RemovedFilterValue[]
  /** Takes the value out of the filter; null if the user may not. */
  remove: ((removed: RemovedFilterValue) => void) | null
}

/** Values of a filter that no longer exist, with their effect and a button that takes each of them out of the filter. */
export function RemovedList({ removed, remove }: Props) {
  return removed.map((one) => (
    <p key={`${one.field} ${one.value} ${one.effect}`}>
      {removedWords(one)}.{' '}
      {remove !== null && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Remove ${removedName(one)} from the filter`}
          onClick={() => remove(one)}
        >
          Remove
        </Button>
      )}
    </p>
  ))
}
