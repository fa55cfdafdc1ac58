import { expect, test } from 'vitest'
import { renderInApp } from '../../../test/render.tsx'
import { PasswordField } from './password-field.tsx'

test('a refused password is marked as invalid for assistive technology', async () => {
  const screen = await renderInApp(<PasswordField label="Your password" error="Enter your password." />)
  await expect.element(screen.getByLabelText('Your password')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(screen.getByLabelText('Your password')).toHaveAccessibleDescription('Enter your password.')
})

test('an empty password field is not marked as invalid', async () => {
  const screen = await renderInApp(<PasswordField label="Your password" />)
  await expect.element(screen.getByLabelText('Your password')).toHaveAttribute('aria-invalid', 'false')
})
