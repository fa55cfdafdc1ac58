import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { leastLength, lengthOf } from './new-password.ts'

/** Takes the input props of a form. */
export function NewPasswordInput(props: PasswordInputProps) {
  const length = lengthOf(String(props.value ?? ''))
  return (
    <PasswordInput
      label="New password"
      description={
        <>
          At least {leastLength} characters. A few unrelated words work well. Common passwords and your email address
          are refused.
          {length > 0 && ` ${length} so far.`}
        </>
      }
      autoComplete="new-password"
      maxLength={1024}
      visibilityToggleButtonProps={{ 'aria-label': 'Show new password', tabIndex: 0 }}
      {...props}
    />
  )
}
