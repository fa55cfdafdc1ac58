import { Alert, Stack } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { plural } from '../text/count-words.ts'
import { ConflictChoice, Lines } from './conflict-choice.tsx'
import type { ShownConflict } from './use-form-conflicts.ts'

/** Fields of a form that someone else changed too. The person chooses the value of each before the form is sent. */
export function Conflicts({ conflicts }: { conflicts: readonly ShownConflict[] }) {
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconArrowsSplit2 />}
      title="Changed by someone else while you were editing"
      mt="md"
    >
      <Stack gap="sm">
        You both changed {plural(conflicts.length, 'this field', 'these fields')}. Choose the value to keep.
        {conflicts.map(({ label, start, theirs, mine, choice, choose }) => (
          <ConflictChoice
            key={label}
            label={label}
            start={start}
            options={[
              { value: 'theirs', label: 'Saved by someone else', content: <Lines lines={theirs} /> },
              { value: 'mine', label: 'Yours', content: <Lines lines={mine} /> },
            ]}
            choice={choice}
            choose={choose}
          />
        ))}
      </Stack>
    </Alert>
  )
}
