import { PasswordInput } from '@mantine/core'
import { forwardRef } from 'react'
import { leastLength, lengthOf } from './new-password.ts'

type Props = { label?: string; value: string; error: string | undefined; onChange: (value: string) => void }

export const NewPasswordInput = forwardRef<HTMLInputElement, Props>(function NewPasswordInput(props, ref) {
  const { label = 'New password', value, error, onChange } = props
  const length = lengthOf(value)
  return (
    <PasswordInput
      ref={ref}
      label={label}
      description={
        <>
          {leastLength} characters or more: length is what counts. Any letters, signs and spaces; a few words in a row
          hold well. Common passwords and your e-mail address are refused.
          {length > 0 && ` ${length} so far.`}
        </>
      }
      autoComplete="new-password"
      maxLength={1024}
      value={value}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the new password', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
})
