import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type BlockedPerson, blockPerson, type Person } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import type { DialogProps } from '../../ui/dialogs/use-dialog.tsx'
import {
  blockBody,
  blockDraft,
  blockFieldOf,
  ChannelFields,
  emptyBlock,
  missingChannel,
  type TypedBlock,
} from '../../ui/prospects/block-request.tsx'
import { chosenValues, useBlockValues } from '../../ui/prospects/block-values.ts'
import { BlockValuesField } from '../../ui/prospects/block-values-field.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { refreshPeople } from './people.queries.ts'

/** Dialog that marks a person as do not contact for good, and suppresses the chosen values of the person. */
export function BlockPersonDialog({
  person,
  businessId,
  close,
  reopen,
}: DialogProps & { person: Person; businessId: string }) {
  const queryClient = useQueryClient()
  const name = nameText(person.name)
  const all = useBlockValues(businessId)
  const own = new Set([
    ...person.emails.map(({ value }) => `email ${value}`),
    ...person.phones.map(({ value }) => `phone ${value}`),
  ])
  const values = { ...all, items: all.items.filter(({ kind, value }) => own.has(`${kind} ${value}`)) }
  return (
    <FormDialog<TypedBlock, BlockedPerson>
      title={`Mark ${name} as do not contact?`}
      submitLabel="Mark as do not contact"
      tone="danger"
      what={`Mark ${name} as do not contact`}
      isAction
      initial={emptyBlock}
      validate={({ reason, channel, toggled }) => ({
        ...missingReason({ reason }, 'Enter a reason. The reason is stored with the person.'),
        ...(chosenValues(values.items, toggled).length > 0 && missingChannel({ channel })),
      })}
      isDisabled={() => values.isLoading}
      send={(typed, { key }) => {
        const alsoSuppress = chosenValues(values.items, typed.toggled)
        return dataOf(
          blockPerson({ path: { personId: person.id }, body: blockBody(typed, alsoSuppress), ...withKey(key) }),
        )
      }}
      onSaved={() => {
        void refreshPeople(queryClient, businessId)
        void queryClient.invalidateQueries({ queryKey: answersAbout('suppression') })
        notifications.show({ message: `${name} marked do not contact.` })
        close()
      }}
      fieldOf={blockFieldOf}
      draft={blockDraft(`person-block-${person.id}`)}
      close={close}
      reopen={reopen}
    >
      {({ form, values: typed, restored, set, isSaving }) => (
        <>
          <Text size="sm">
            Nobody can choose this person, or an address or number of this person, as a recipient. Nothing lifts the
            mark.
          </Text>
          <ReasonField form={form} restored={restored} description="Who asked for the mark, and how" data-autofocus />
          {own.size > 0 && (
            <BlockValuesField
              values={values}
              toggled={typed.toggled}
              onToggled={(toggled) => set({ toggled })}
              isHeld={isSaving}
            />
          )}
          {chosenValues(values.items, typed.toggled).length > 0 && (
            <>
              <Text size="sm">A value that you block here marks this prospect as do not contact too.</Text>
              <ChannelFields form={form} channelDescription="Stored with the blocked values" />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
