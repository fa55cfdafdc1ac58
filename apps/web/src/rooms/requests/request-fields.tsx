import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import { businessQuery } from '../../ui/prospects/record-queries.ts'

/** Fields that can be changed until the request is answered. */
export type RequestValues = {
  name: string
  contact: string
  identityCheck: string
  /** Blank means that no prospect is chosen. */
  businessId: string
}

/** Drafts about a person stay in the tab, and are deleted at sign-out: an erasure cannot reach them in the browser. */
export const isSensitive = () => true

export const missingRequester = ({ name }: RequestValues): FieldErrors =>
  name.trim() === '' ? { name: 'Enter who asks.' } : {}

/** The field that shows the error of an API path. */
export const requestFieldOf = (path: string): string =>
  ({ 'requester.name': 'name', 'requester.contact': 'contact' })[path] ?? path

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
export const requesterOf = ({ name, contact }: RequestValues) => ({ name: name.trim(), contact: orNull(contact) })
export const restOf = ({ identityCheck, businessId }: RequestValues) => ({
  identityCheck: orNull(identityCheck),
  businessId: businessId === '' ? null : businessId,
})

type Props<Values extends RequestValues> = {
  form: UseFormReturnType<Values>
  restored: { savedAt: string } | null
  /** Fields between the person and the check of the identity. */
  children?: ReactNode
}

export function RequestFields<Values extends RequestValues>({ form, restored, children }: Props<Values>) {
  const queryClient = useQueryClient()
  const prospect = form.getInputProps('businessId')
  return (
    <>
      <TextInput
        label="Who asks"
        description={
          <>
            Name of the person.
            <DraftHint draft={restored} />
          </>
        }
        withAsterisk
        aria-required
        data-autofocus
        autoComplete="off"
        maxLength={inputLimits.requesterName}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Contact for the answer"
        description="Email address, phone number or postal address. Use it only for this answer. It may be on the do-not-contact list."
        autoComplete="off"
        maxLength={inputLimits.requesterContact}
        {...form.getInputProps('contact')}
      />
      {children}
      <Textarea
        label="How you checked who the person is"
        description="For example: we called back on the number of the website. You can enter this later."
        autosize
        minRows={2}
        maxLength={inputLimits.requestText}
        {...form.getInputProps('identityCheck')}
      />
      <ProspectSelect
        label="Prospect"
        description="The prospect that the request is about. You can choose it later."
        error={prospect.error}
        chosen={prospect.value === '' ? null : prospect.value}
        choose={(businessId) => {
          // A conflict with another person's choice names both prospects.
          if (businessId !== null) void queryClient.prefetchQuery(businessQuery(businessId))
          prospect.onChange(businessId ?? '')
        }}
        clearable
      />
    </>
  )
}
