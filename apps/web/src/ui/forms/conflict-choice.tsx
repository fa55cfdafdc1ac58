import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './conflict-choice.module.css'

type Props<Side extends string> = {
  label: string
  /** Value when the person began. */
  start: readonly string[]
  options: readonly { value: Side; label: string; content: ReactNode }[]
  choice: Side | null
  choose: (side: Side) => void
  error?: string | null
}

/** Choice between the values of a field that two people changed. */
export function ConflictChoice<Side extends string>({ label, start, options, choice, choose, error }: Props<Side>) {
  return (
    <Radio.Group
      label={label}
      description={
        <>
          When you started: <Lines lines={start} />
        </>
      }
      error={error}
      value={choice}
      onChange={(value) => {
        const chosen = options.find((option) => option.value === value)
        if (chosen !== undefined) choose(chosen.value)
      }}
      className={classes.conflict}
      {...(choice === null && { 'data-missing': true })}
    >
      <div className={classes.options}>
        {options.map((option) => (
          <Radio.Card key={option.value} value={option.value} className={classes.option}>
            <Radio.Indicator aria-hidden />
            <span>
              <small>{option.label}</small>
              <span className={classes.content}>{option.content}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}

/** Lines of a value. A blank one is shown as "blank". */
export function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <i className={classes.blank}>blank</i>
  return <span className={classes.lines}>{lines.join(', ')}</span>
}
