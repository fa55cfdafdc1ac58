import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import classes from './first-steps.module.css'

/** What an operator does first, in three steps. */
export function FirstSteps({ dismiss }: { dismiss: () => void }) {
  return (
    <section className={classes.panel} aria-label="First steps">
      <ol>
        <li>This list holds the prospects that are assigned to you. Clear the filter to see all of them.</li>
        <li>Open a prospect, read what is known, and record each contact with its follow-up date.</li>
        <li>Move it on when something has changed. Press ? for the shortcuts.</li>
      </ol>
      <ActionIcon size={24} aria-label="Dismiss the first steps" onClick={dismiss}>
        <IconX size={15} aria-hidden />
      </ActionIcon>
    </section>
  )
}
