import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import classes from './matching.module.css'

type Props = {
  /** Changes in words; empty if only the server knows them. */
  changes: string[]
  /** Error of a rejected merge, or null. */
  error: unknown
  showNow: () => Promise<void>
}

/** Notice that the pair has changed, with the changes and a button to show the current version. The user's choices stay. */
export function PairChanged({ changes, error, showNow }: Props) {
  const [isLooking, setLooking] = useState(false)
  const notice = useRef<HTMLElement>(null)
  useEffect(() => {
    // After a rejected merge the focus moves to this notice. A change that arrived by itself does not take the focus.
    if (error !== null) notice.current?.focus()
  }, [error])
  const messages = changes.length === 0 && isProblem(error) ? error.errors.map(({ message }) => message) : changes
  return (
    <section
      ref={notice}
      tabIndex={-1}
      role="alert"
      aria-label="This pair changed after you opened it"
      className={classes.changed}
    >
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p>
          <b>This pair changed after you opened it.</b> {error !== null && 'Nothing was merged. '}
          {messages.length === 0 && error !== null && sentenceOf(error)}
        </p>
        {messages.length > 0 && (
          <ul>
            {messages.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
        <p>Your choices and your text are kept.</p>
        <Button
          size="compact-sm"
          variant="default"
          loading={isLooking}
          onClick={() => {
            setLooking(true)
            void showNow().finally(() => setLooking(false))
          }}
        >
          Show current values
        </Button>
      </div>
    </section>
  )
}
