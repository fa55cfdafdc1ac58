import { Button, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addInteraction, type Interaction, type RecordedOptOut, recordOptOut } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { CancelButton } from '../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { parseAlsoSuppress, useBlockValues, valuesToSend } from '../../ui/prospects/block-values.ts'
import { noteBlocked, suppressedWords } from '../../ui/prospects/blocked.ts'
import classes from '../../ui/prospects/entries.module.css'
import { recordName, refreshRecord } from '../../ui/prospects/record-keys.ts'
import { dayIn } from '../../ui/text/format.ts'
import { outcomeOptions } from '../../ui/text/outcome-words.ts'
import {
  interactionBody,
  interactionFrom,
  interactionGuards,
  isBlankInteraction,
  keepsFollowUp,
  missingInInteraction,
} from './interaction-form-values.ts'
import { channelOptions, directionOptions } from './interaction-words.ts'
import { OPT_OUT, outcomesWithOptOut } from './opt-out.ts'
import { optOutBody } from './opt-out-body.ts'
import { OptOutFields } from './opt-out-fields.tsx'

/** Descriptions are below the inputs, so that inputs in one row align. */
const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

export const draftName = (businessId: string, corrects: Interaction | null): string =>
  `interaction-${businessId}${corrects === null ? '' : `-${corrects.id}`}`

type Props = {
  businessId: string
  corrects: Interaction | null
  isBlocked: boolean
  /** True if the outcome "Asked not to be contacted" is offered. */
  canOptOut: boolean
  close: () => void
  reopen: () => void
}

export function InteractionForm({ businessId, corrects, isBlocked, canOptOut, close, reopen }: Props) {
  const { timeZone } = useSession().tenant
  const queryClient = useQueryClient()
  const save = useSaveForm({
    initial: interactionFrom(corrects),
    // A draft may contain the outcome from a time when it was offered.
    validate: (values) =>
      missingInInteraction(values.outcome === OPT_OUT && !canOptOut ? { ...values, outcome: null } : values, {
        corrects,
        today: dayIn(serverNow().toISOString(), timeZone),
      }),
    send: async (values, { key, at }, loadOnce): Promise<RecordedOptOut | null> => {
      const path = { businessId }
      if (values.outcome === OPT_OUT) {
        const chosen = await loadOnce(
          () => valuesToSend(queryClient, businessId, blockValues, values.toggled),
          parseAlsoSuppress,
        )
        const body = optOutBody(values, timeZone, at, chosen)
        return dataOf(recordOptOut({ path, body, ...withKey(key) }))
      }
      const body = interactionBody(values, { zone: timeZone, corrects, now: at })
      await dataOf(addInteraction({ path, body, ...withKey(key) }))
      return null
    },
    onSaved: (optedOut) => {
      if (optedOut !== null) {
        noteBlocked(queryClient, optedOut.business)
        const words = [`Interaction recorded. ${recordName(queryClient, businessId)} marked do not contact.`]
        notifications.show({ message: [...words, ...suppressedWords(optedOut.business)].join(' ') })
        return close()
      }
      void refreshRecord(queryClient, businessId)
      notifications.show({
        message:
          corrects === null
            ? 'Interaction recorded.'
            : 'Interaction corrected. The earlier one is still in the history.',
      })
      close()
    },
    what: `an interaction of ${recordName(queryClient, businessId)}`,
    draft: {
      name: draftName(businessId, corrects),
      guards: interactionGuards,
      isBlank: isBlankInteraction,
      gone: close,
    },
    fieldOf: (path) => {
      if (path === 'reason') return 'optOutReason'
      return path !== 'correctsId' && path in interactionFrom(null) ? path : undefined
    },
  })
  const { form } = save
  const isOptOut = canOptOut && form.values.outcome === OPT_OUT
  const blockValues = useBlockValues(businessId, isOptOut)

  return (
    <SaveForm
      save={save}
      className={classes.form}
      aria-label={corrects === null ? 'Log a call or meeting' : 'Correct interaction'}
      actions={
        <div className={classes.actions}>
          <Button type="submit" loading={save.isSaving} {...(isOptOut && { color: 'red' })}>
            {isOptOut
              ? 'Record and mark as do not contact'
              : corrects === null
                ? 'Log a call or meeting'
                : 'Save correction'}
          </Button>
          <CancelButton save={save} close={close} reopen={reopen}>
            Discard
          </CancelButton>
        </div>
      }
    >
      {corrects !== null && (
        <p className={classes.hint}>
          Interactions cannot be edited. Your correction replaces the earlier one, which stays visible below.
        </p>
      )}
      {isBlocked && (
        <p className={classes.hint}>
          This prospect is marked do not contact. You can still record what happened, such as a call from them. It is
          counted separately.
        </p>
      )}
      <div className={classes.grid}>
        <Select
          label="Outcome"
          required
          data={canOptOut ? outcomesWithOptOut : outcomeOptions}
          data-first
          {...form.getInputProps('outcome')}
        />
        <Select label="Channel" data={channelOptions} {...form.getInputProps('channel')} />
        <TypedTime
          of="time"
          direction="past"
          label="When"
          description={corrects === null ? `Leave empty for now (${timeZone})` : `Leave empty to keep it (${timeZone})`}
          {...form.getInputProps('occurredAt')}
        />
        <Select
          label="Direction"
          clearable
          inputWrapperOrder={below}
          description="If known"
          data={directionOptions}
          {...form.getInputProps('direction')}
        />
        <Textarea label="Summary" autosize minRows={2} className={classes.wide} {...form.getInputProps('summary')} />
        <NameTagsInput
          label="Participants"
          inputWrapperOrder={below}
          description="Names. Press Enter after each."
          acceptValueOnBlur
          {...form.getInputProps('participants')}
        />
        {isOptOut ? (
          <OptOutFields form={form} values={blockValues} isSaving={save.isSaving} />
        ) : (
          <TypedTime
            of="day"
            direction="future"
            isComing={!keepsFollowUp(save.values, corrects)}
            label="Follow up on"
            description="For your own reference. Nothing is scheduled or sent."
            {...form.getInputProps('followUpOn')}
          />
        )}
      </div>
    </SaveForm>
  )
}
