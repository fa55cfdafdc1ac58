import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type BlockedBusiness, blockBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { missingReason, ReasonField } from '../../ui/dialogs/reason-field.tsx'
import {
  blockBody,
  blockDraft,
  blockFieldOf,
  ChannelFields,
  emptyBlock,
  missingChannel,
  type TypedBlock,
} from '../../ui/prospects/block-request.tsx'
import { type BlockValue, chosenValues, useBlockValues, valuesToSend } from '../../ui/prospects/block-values.ts'
import { BlockValuesField } from '../../ui/prospects/block-values-field.tsx'
import { noteBlocked, suppressedWords } from '../../ui/prospects/blocked.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { nameText } from '../../ui/text/name-text.ts'

/**
 * Dialog that marks a record as do not contact, and blocks its addresses and numbers for every other record in the same change. For a record that a
 * person has marked already, it blocks the values only. The mark is shown only after the server has confirmed it.
 */
export function BlockDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const values = useBlockValues(business.id)
  const name = nameText(business.name)
  // As at the opening: a colleague may mark the record meanwhile, which must not turn the dialog into another one.
  const [isMarked] = useState(business.doNotContact !== null && business.doNotContact.through !== 'suppression')
  const verb = isMarked ? 'Block its values' : 'Mark as do not contact'
  return (
    <FormDialog
      title={isMarked ? `Block the values of ${name} everywhere?` : `Mark ${name} as do not contact?`}
      submitLabel={verb}
      tone="danger"
      what={isMarked ? `Block the values of ${name}` : `Mark ${name} as do not contact`}
      isAction
      isUndoable
      initial={emptyBlock}
      validate={(typed) => problemsOf(typed, values.items, isMarked)}
      send={async (typed, { key }): Promise<BlockedBusiness> => {
        const alsoSuppress = await valuesToSend(queryClient, business.id, values, typed.toggled)
        return dataOf(
          blockBusiness({ path: { businessId: business.id }, body: blockBody(typed, alsoSuppress), ...withKey(key) }),
        )
      }}
      onSaved={(blocked, { reason }) => {
        noteBlocked(queryClient, blocked)
        const mark = isMarked ? [] : [blockedWords(blocked, reason, user.id)]
        notifications.show({ message: [...mark, ...suppressedWords(blocked)].join(' ') })
        close()
      }}
      fieldOf={blockFieldOf}
      draft={blockDraft(`block-${business.id}`)}
      close={close}
      reopen={reopen}
    >
      {({ form, values: typed, restored, set, isSaving }) => (
        <>
          <Text size="sm">
            {isMarked
              ? 'The prospect is already marked do not contact. Other prospects with its addresses and numbers are not blocked until you block the values here.'
              : 'The mark takes effect immediately and is shown wherever the name appears. You can still view, edit and move the prospect. A move does not remove the mark.'}
          </Text>
          <ReasonField
            form={form}
            restored={restored}
            description={
              isMarked
                ? 'Who asked for the block. The reason is stored with each value'
                : 'Who asked for the mark, and how'
            }
            data-autofocus
          />
          <BlockValuesField
            values={values}
            toggled={typed.toggled}
            onToggled={(toggled) => set({ toggled })}
            isHeld={isSaving}
          />
          {chosenValues(values.items, typed.toggled).length > 0 && (
            <ChannelFields form={form} channelDescription="Stored with the blocked values" />
          )}
          <Text size="sm" fw={500}>
            Only an administrator can lift the block, with a reason for the audit log.
          </Text>
        </>
      )}
    </FormDialog>
  )
}

function problemsOf({ reason, channel, toggled }: TypedBlock, items: readonly BlockValue[], isMarked: boolean) {
  const chosen = chosenValues(items, toggled)
  return {
    ...missingReason(
      { reason },
      isMarked
        ? 'Enter a reason. The reason is stored with each value.'
        : 'Enter a reason. The reason is stored with the record.',
    ),
    ...(chosen.length > 0 && missingChannel({ channel })),
    ...(chosen.length === 0 && isMarked && { reason: 'Select a value to block.' }),
  }
}

/** Returns the message after marking. The record keeps its first reason, so the message for a later person states that their reason was not saved. */
function blockedWords({ name, doNotContact }: BlockedBusiness, reason: string, userId: string): string {
  const isMine = doNotContact?.by.kind === 'user' && doNotContact.by.id === userId && doNotContact.reason === reason
  if (doNotContact === null || isMine) return `${nameText(name)} marked do not contact.`
  return `${nameText(doNotContact.by.name)} had already marked ${nameText(name)} as do not contact. The earlier reason is kept, and yours was not saved.`
}
