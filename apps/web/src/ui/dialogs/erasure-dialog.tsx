import { Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answersAbout } from '../api/query-keys.ts'
import { oneOf } from '../forms/draft-fields.ts'
import { isTypedAs, nameText } from '../text/name-text.ts'
import { FormDialog } from './form-dialog.tsx'
import { missingReason, ReasonField } from './reason-field.tsx'
import type { DialogProps } from './use-dialog.tsx'

type Props<Answer> = DialogProps & {
  /** the name as stored, which the user types to confirm */
  name: string
  noun: 'record' | 'person'
  draftName: string
  /** what is deleted, and what stays blocked */
  explanation: ReactNode
  /** label of the option to keep the contact values blocked; null if they stay blocked in any case */
  suppressLabel: string | null
  send: (body: { reason: string; suppress: boolean }, key: string) => Promise<Answer>
  onSaved: (answer: Answer, isMounted: () => boolean) => void
}

/** Dialog that erases a record or a person. It requires a reason, the typed name and fresh proof. */
export function ErasureDialog<Answer>({
  name,
  noun,
  draftName,
  explanation,
  suppressLabel,
  send,
  onSaved,
  close,
  reopen,
}: Props<Answer>) {
  const queryClient = useQueryClient()
  const shownName = nameText(name)
  return (
    <FormDialog
      title={`Erase ${shownName} permanently?`}
      submitLabel="Erase permanently"
      tone="danger"
      what={`Erase ${shownName} permanently`}
      isAction
      initial={{ reason: '', typedName: '', suppress: false }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...(!isTypedAs(values.typedName, name) && { typedName: 'The name does not match.' }),
      })}
      send={({ reason, suppress }, { key }) => send({ reason, suppress }, key)}
      onSaved={(answer, _values, { isMounted }) => {
        // Inactive cached responses may contain the erased values.
        queryClient.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isPart !== true })
        for (const queryKey of [answersAbout('suppression'), answersAbout('exports')])
          void queryClient.invalidateQueries({ queryKey })
        onSaved(answer, isMounted)
      }}
      draft={{
        name: draftName,
        isBlank: ({ reason }) => reason.trim() === '',
        // Never restored from a draft: the name must be typed each time as a confirmation.
        guards: { typedName: oneOf([]) },
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          {explanation}
          {suppressLabel !== null && (
            <Checkbox label={suppressLabel} {...form.getInputProps('suppress', { type: 'checkbox' })} />
          )}
          <ReasonField
            form={form}
            restored={restored}
            description="The legal ground. The audit log stores this text, so do not name anyone"
            data-autofocus
          />
          <TextInput
            label={`Name of the ${noun}`}
            description={`Type ${shownName} to confirm`}
            withAsterisk
            aria-required
            autoComplete="off"
            {...form.getInputProps('typedName')}
          />
        </>
      )}
    </FormDialog>
  )
}
