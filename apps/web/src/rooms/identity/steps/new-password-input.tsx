import type { PasswordInputProps } from '@mantine/core'
import { countWords } from '../../../ui/text/count-words.ts'
import { PasswordField } from '../password-field.tsx'
import { leastLength, lengthOf } from './new-password.ts'

/** Field for a new password with its rules. Accepts the input props of a form. */
export function NewPasswordInput(props: PasswordInputProps) {
  const length = lengthOf(String(props.value ?? ''))
  return (
    <PasswordField
      label="New password"
      description={
        <>
          At least {countWords(leastLength, 'character', 'characters')}. A few unrelated words work well. Common
          passwords and your email address are not accepted.
          {length > 0 && ` ${length} typed so far.`}
        </>
      }
      autoComplete="new-password"
      maxLength={1024}
      showLabel="Show new password"
      {...props}
    />
  )
}
