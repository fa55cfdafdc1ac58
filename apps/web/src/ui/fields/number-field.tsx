import { TextInput, type TextInputProps } from '@mantine/core'
import { type FocusEvent, useState } from 'react'
import { type NumberRange, type NumberValue, numberOf, numberProblem, numberText } from '../text/typed-number.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'min' | 'max'> &
  NumberRange & {
    value?: NumberValue
    /** Called with the number if the input could be read, otherwise with the input itself. */
    onChange: (value: NumberValue) => void
  }

/**
 * Input of a number, typed and shown in the format of the workspace's locale. While the user types, the field shows the typed text, and the form
 * already has the number. Unreadable text stays in the field, with an example beside it. Forms validate with `numberProblem` and read with `numberOf`.
 */
export function NumberField({ value = '', onChange, min, max, decimals, error, onFocus, onBlur, ...props }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const range = { min, max, decimals }
  const read = (text: string): NumberValue => numberOf(text, range) ?? text
  return (
    <TextInput
      autoComplete="off"
      maxLength={25}
      // The numeric keyboard of iOS has no minus.
      inputMode={min !== undefined && min < 0 ? 'text' : decimals === undefined ? 'numeric' : 'decimal'}
      {...props}
      // If the value no longer matches the typed text, it was set from outside: by an undo, a draft or the server.
      value={typed !== null && read(typed) === value ? typed : numberText(value)}
      error={error ?? (isLeft ? numberProblem(value, range) : null)}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        setLeft(false)
        onFocus?.(event)
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        setTyped(null)
        afterPress(() => setLeft(true))
        onBlur?.(event)
      }}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange(read(text))
      }}
    />
  )
}

/**
 * Runs `then`, after the release if the pointer is pressed. An error that appeared during the press could move the pressed button, which would then get
 * no click.
 */
function afterPress(then: () => void): void {
  if (document.querySelector(':active') === null) then()
  else window.addEventListener('pointerup', () => setTimeout(then), { once: true })
}
