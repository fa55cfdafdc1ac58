import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import classes from './matching.module.css'

type Props = {
  /** What this page can say of it; empty where only the server knows. */
  changes: string[]
  /** What the server answered to a merge, if it was asked for. */
  error: unknown
  showNow: () => Promise<void>
}

/** Something changed since the person looked: what it was, and the way to what is there now. What they chose stays. */
export function PairChanged({ changes, error, showNow }: Props) {
  const [isLooking, setLooking] = useState(false)
  const notice = useRef<HTMLElement>(null)
  useEffect(() => {
    // After a refused merge the person has to come back here; a change that came in by itself takes no focus away.
    if (error !== null) notice.current?.focus()
  }, [error])
  const told = changes.length === 0 && isProblem(error) ? error.errors.map(({ message }) => message) : changes
  return (
    <section
      ref={notice}
      tabIndex={-1}
      role="alert"
      aria-label="Changed since you opened this"
      className={classes.changed}
    >
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p>
          <b>Changed since you opened this.</b> {error !== null && 'Nothing was merged. '}
          {told.length === 0 && error !== null && sentenceOf(error)}
        </p>
        {told.length > 0 && (
          <ul>
            {told.map((change) => (
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
