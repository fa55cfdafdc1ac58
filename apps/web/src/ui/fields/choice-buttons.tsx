import { type ReactNode, useId } from 'react'
import classes from './choice-buttons.module.css'

export type Choice<Value extends string> = {
  value: Value
  label: string
  /** Second part of the label, such as a date. */
  detail?: string
  /** Key that chooses it, shown on the button. The screen registers the key. */
  keyCap?: string
}

type Props<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  /** A value that is not among the choices: none is chosen. */
  value: string | null
  onChoose: (value: Value) => void
  error?: ReactNode
  isRequired?: boolean
  /** True if the form that opens moves the focus here. */
  isFirst?: boolean
  /** Buttons after the choices. */
  children?: ReactNode
}

/** A choice of one among a few values, each a button. They are radio buttons, so Tab enters the group once and arrow keys choose. */
export function ChoiceButtons<Value extends string>(props: Props<Value>) {
  const { label, choices, value, onChoose, error, isRequired = false, isFirst = false, children } = props
  const name = useId()
  const hasError = error !== undefined && error !== null && error !== false
  const entry = choices.find((choice) => choice.value === value) ?? choices[0]
  return (
    <fieldset
      className={classes.group}
      {...(hasError && { 'data-missing': true, 'aria-describedby': `${name}-error` })}
    >
      <legend>{label}</legend>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              required={isRequired}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              {...(choice.keyCap !== undefined && { 'aria-keyshortcuts': choice.keyCap })}
              {...(isFirst && choice === entry && { 'data-first': true })}
            />
            <span>{choice.label}</span>
            {choice.detail !== undefined && <span className={classes.detail}>{choice.detail}</span>}
            {choice.keyCap !== undefined && <kbd aria-hidden>{choice.keyCap}</kbd>}
          </label>
        ))}
        {children}
      </div>
      {hasError && (
        <p id={`${name}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
