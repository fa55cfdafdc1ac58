import { Text, TextInput } from '@mantine/core'
import { createToken, type NewAccessToken, type Permission } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersOf } from '../../../ui/api/query-keys.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import type { DialogProps } from '../../../ui/dialogs/use-dialog.tsx'
import { EndDayField, useEndDay } from '../../../ui/fields/end-day-field.tsx'
import { DraftHint } from '../../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../../ui/forms/use-save-form.ts'
import { PermissionGroups } from './permission-groups.tsx'
import { TokenSecret } from './token-secret.tsx'

type Values = { name: string; endsOn: string; addresses: string; permissions: Permission[] }

/** The API accepts a token of at most 366 days. */
const tokenTerm = { usualDays: 90, maxDays: 365 }

/** Form of a new token, and then its secret, which is shown once. The session may require fresh proof of identity. */
export function NewTokenDialog({ close, reopen }: DialogProps) {
  const queryClient = useQueryClient()
  const [created, setCreated] = useState<NewAccessToken | null>(null)
  const end = useEndDay(tokenTerm)
  if (created !== null) return <TokenSecret token={created} close={close} />
  return (
    <FormDialog<Values, NewAccessToken>
      title="New access token"
      submitLabel="Create token"
      what="the access token"
      initial={{ name: '', endsOn: end.usual, addresses: '', permissions: [] }}
      validate={(values): FieldErrors => ({
        ...(values.name.trim() === '' && { name: 'Enter what the token is for.' }),
        ...(values.permissions.length === 0 && { permissions: 'Choose at least one permission.' }),
        ...end.problems(values),
      })}
      fieldOf={(path) => (path === 'endsAt' ? 'endsOn' : path.split('.')[0])}
      send={(values) =>
        dataOf(
          createToken({
            body: {
              name: values.name.trim(),
              permissions: values.permissions,
              endsAt: end.instant(values),
              addresses: values.addresses.split(/[\s,;]+/).filter((one) => one !== ''),
            },
          }),
        )
      }
      onSaved={(token) => {
        void queryClient.invalidateQueries({ queryKey: answersOf('listTokens') })
        setCreated(token)
      }}
      draft={{ name: 'new-token', isBlank: ({ name, permissions }) => name.trim() === '' && permissions.length === 0 }}
      close={close}
      reopen={reopen}
    >
      {({ form, values, set, restored }) => (
        <>
          <Text size="sm">
            A program that sends the token acts as you, with these permissions and no others. If your role changes, the
            token loses what you lose.
          </Text>
          <TextInput
            label="Name"
            placeholder="Warehouse sync"
            data-autofocus
            maxLength={inputLimits.tokenName}
            description={restored === null ? 'The audit shows it with each change.' : <DraftHint draft={restored} />}
            {...form.getInputProps('name')}
          />
          <EndDayField end={end} {...form.getInputProps('endsOn')} />
          <TextInput
            label="Addresses (optional)"
            placeholder="203.0.113.7, 10.1.0.0/16"
            description="IP addresses or ranges from which the token is accepted. Leave empty to accept it from everywhere."
            {...form.getInputProps('addresses')}
          />
          <PermissionGroups
            chosen={values.permissions}
            onChange={(permissions) => set({ permissions })}
            error={typeof form.errors.permissions === 'string' ? form.errors.permissions : undefined}
          />
        </>
      )}
    </FormDialog>
  )
}
