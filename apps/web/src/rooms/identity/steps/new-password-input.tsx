import { PasswordInput } from '@mantine/core'
import { forwardRef } from 'react'

const least = 12
const most = 256

/** As the server counts them. */
const lengthOf = (password: string) => [...password.normalize('NFC')].length

/** What a person can mend without asking the server; whether it is a common password, only the server knows. */
export function newPasswordProblem(password: string): string | null {
  const length = lengthOf(password)
  if (length === 0) return 'Choose a password.'
  if (length < least) return `Use at least ${least} characters: ${least - length} more.`
  return length > most ? `Use at most ${most} characters.` : null
}

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
          {least} characters or more: length is what counts. Any letters, signs and spaces; a few words in a row hold
          well. Common passwords and your e-mail address are refused.
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
