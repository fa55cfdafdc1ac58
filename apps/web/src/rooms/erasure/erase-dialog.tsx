import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ErasedBusiness, eraseBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { By } from '../../ui/layout/facts.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { isTypedAs, nameText } from '../../ui/text/name-text.ts'

/** Dialog that erases a record. It requires a reason, the typed name and fresh proof, and then shows the audit event that the server read back. */
export function EraseDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const [erased, setErased] = useState<ErasedBusiness | null>(null)
  if (erased !== null) return <Written made={erased} close={close} />
  const name = nameText(business.name)
  const isBlocked = business.doNotContact !== null
  return (
    <FormDialog
      title={`Erase ${name} permanently?`}
      submitLabel="Erase permanently"
      tone="danger"
      what={`Erase ${name} permanently`}
      isAction
      initial={{ reason: '', typedName: '', suppress: false }}
      validate={(values) => ({
        ...missingReason(values, 'Enter a reason.'),
        ...(!isTypedAs(values.typedName, business.name) && { typedName: 'The name does not match.' }),
      })}
      send={({ reason, suppress }, { key }) =>
        dataOf(eraseBusiness({ path: { businessId: business.id }, body: { reason, suppress }, ...withKey(key) }))
      }
      onSaved={(answer, _values, { isMounted }) => {
        // Inactive cached responses may contain the erased values.
        queryClient.removeQueries({ type: 'inactive', predicate: ({ meta }) => meta?.isPart !== true })
        void refreshRecords(queryClient)
        for (const queryKey of [answersAbout('suppression'), answersAbout('exports')])
          void queryClient.invalidateQueries({ queryKey })
        if (!isMounted()) notifications.show({ message: `${name} erased permanently` })
        setErased(answer)
      }}
      draft={{
        name: `erase-${business.id}`,
        isBlank: ({ reason }) => reason.trim() === '',
        // Never restored from a draft: the name must be typed each time as a confirmation.
        guards: { typedName: oneOf([]) },
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm">
            This deletes the names, addresses, numbers, evidence, notes and interaction texts of the record, their
            copies in the audit log, and all records merged into this one. The deletion cannot be undone. The audit log
            still shows that a record existed and what happened to it.
          </Text>
          <Text size="sm" fw={500}>
            {isBlocked
              ? 'The prospect is marked do not contact, so its addresses, numbers and domains stay blocked, in a form that nobody can read.'
              : 'The do-not-contact list does not change.'}
          </Text>
          {!isBlocked && (
            <Checkbox
              label="Keep the addresses, numbers and domains of the record blocked, in a form that nobody can read"
              {...form.getInputProps('suppress', { type: 'checkbox' })}
            />
          )}
          <ReasonField
            form={form}
            restored={restored}
            description="The legal ground. The audit log stores this text, so do not name anyone"
            data-autofocus
          />
          <TextInput
            label="Name of the record"
            description={`Type ${name} to confirm`}
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

const words: [keyof ErasedBusiness['erased'], one: string, many: string][] = [
  ['records', 'record', 'records'],
  ['evidence', 'observation', 'observations'],
  ['notes', 'note', 'notes'],
  ['interactions', 'interaction', 'interactions'],
  ['merges', 'merge', 'merges'],
  ['auditEvents', 'audit event without its content', 'audit events without their content'],
  ['exports', 'export deleted', 'exports deleted'],
]

function Written({ made: { erased, event }, close }: { made: ErasedBusiness; close: () => void }) {
  const canOpen = useCan('audit.read')
  const parts = words.flatMap(([key, one, many]) => (erased[key] === 0 ? [] : [countWords(erased[key], one, many)]))
  return (
    <Dialog onClose={close} title="Erased">
      <Text size="sm">{parts.join(', ')}.</Text>
      {erased.tombstones > 0 && (
        <Text size="sm" mt="xs">
          {formatNumber(erased.tombstones)} of the addresses, numbers and domains stay blocked, in a form that nobody
          can read.
        </Text>
      )}
      <Text size="sm" mt="xs" c="dimmed">
        Number {formatNumber(event.sequence)} in the audit log, by <By person={event.actor} at={event.at} />:{' '}
        <Name of={event.reason ?? ''} />
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        {canOpen && (
          <Button variant="default" component={Link} to={`/audit?event=${event.id}`}>
            Open in audit log
          </Button>
        )}
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Dialog>
  )
}
