import { Button, Kbd, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addInteraction, type Interaction, type RecordedOptOut, recordOptOut } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { ChoiceButtons } from '../../ui/fields/choice-buttons.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { CancelButton } from '../../ui/forms/cancel-button.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { isOtherButton } from '../../ui/forms/submit-on-mod-enter.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { hasList, type NextRow, openNextRow } from '../../ui/lists/next-row.ts'
import { parseAlsoSuppress, useBlockValues, valuesToSend } from '../../ui/prospects/block-values.ts'
import { noteBlocked, suppressedWords } from '../../ui/prospects/blocked.ts'
import classes from '../../ui/prospects/entries.module.css'
import { peopleToName, personOptions } from '../../ui/prospects/people-choice.ts'
import { recordName, refreshRecord } from '../../ui/prospects/record-keys.ts'
import { dayIn } from '../../ui/text/format.ts'
import { outcomeOptions } from '../../ui/text/outcome-words.ts'
import { distinctChoices, followUpChoices, needsAllFields, OTHER_KEY, outcomeChoices } from './call-choices.ts'
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

const RECORDED = 'interaction-recorded'

const nextWords: Record<NextRow, string> = {
  opened: '',
  ended: ' This was the last prospect in the list.',
  unknown: ' The next prospect is not loaded yet.',
}

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
  const isCall = corrects === null
  const goesOn = isCall && hasList()
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
    onSaved: (optedOut, _values, { submitter, isMounted }) => {
      if (optedOut !== null) {
        noteBlocked(queryClient, optedOut.business)
        const words = [`Interaction recorded. ${recordName(queryClient, businessId)} marked do not contact.`]
        notifications.show({ message: [...words, ...suppressedWords(optedOut.business)].join(' ') })
        return close()
      }
      const name = recordName(queryClient, businessId)
      // The next record is opened before the lists are read again, because this one may leave its list.
      const next = goesOn && isMounted() && !isOtherButton(submitter) ? openNextRow() : 'opened'
      void refreshRecord(queryClient, businessId)
      // One notice at a time: during a series of calls they would cover the list.
      notifications.hide(RECORDED)
      notifications.show({
        id: RECORDED,
        message: isCall
          ? `Interaction with ${name} recorded.${nextWords[next]}`
          : 'Interaction corrected. The earlier entry is still in the history.',
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
  const outcomes = outcomeChoices(canOptOut)
  const followUps = followUpChoices(dayIn(serverNow().toISOString(), timeZone))
  const canSeePeople = useCan('people.read')
  const { data: known } = useQuery({ ...peopleToName(businessId), enabled: canSeePeople })
  const people = personOptions(known?.items ?? [])
  const [wantsAllFields, setWantsAllFields] = useState(false)
  const isShort = isCall && !wantsAllFields && !needsAllFields(form.values)
  const showAllFields = () => setWantsAllFields(true)
  const { ref } = save.formProps
  useEffect(() => {
    if (wantsAllFields) ref.current?.querySelector<HTMLElement>('[data-path="outcome"]')?.focus()
  }, [wantsAllFields, ref])
  useCallKeys([
    ...(isShort ? outcomes.map((one) => ({ ...one, run: () => save.set({ outcome: one.value }) })) : []),
    ...(isShort ? [{ label: 'Other outcomes and fields', keyCap: OTHER_KEY, run: showAllFields }] : []),
    ...(isCall && !isOptOut
      ? followUps.map(({ label, value, keyCap }) => ({
          label: `Follow-up: ${label.toLowerCase()}`,
          keyCap,
          run: () => save.set({ followUpOn: value }),
        }))
      : []),
  ])

  const followUpField = (
    <TypedTime
      of="day"
      direction="future"
      isComing={!keepsFollowUp(save.values, corrects)}
      label="Follow up on"
      description="The date appears only in your lists here. Nothing is scheduled or sent."
      {...form.getInputProps('followUpOn')}
    />
  )
  return (
    <SaveForm
      save={save}
      className={classes.form}
      aria-label={isCall ? 'Log call' : 'Correct interaction'}
      actions={
        <div className={classes.actions}>
          <Button type="submit" loading={save.isSaving} {...(isOptOut && { color: 'red' })}>
            {saveLabel({ isOptOut, isCall, goesOn })}
          </Button>
          {goesOn && !isOptOut && (
            <Button type="submit" variant="default" data-other disabled={save.isSaving}>
              Save
            </Button>
          )}
          <CancelButton save={save} close={close} reopen={reopen}>
            Discard
          </CancelButton>
          {isCall && <SaveKeys hasOther={goesOn && !isOptOut} />}
        </div>
      }
    >
      {corrects !== null && (
        <p className={classes.hint}>
          Interactions cannot be edited. Your correction replaces the earlier entry, which stays visible below.
        </p>
      )}
      {isBlocked && (
        <p className={classes.hint}>
          This prospect is marked do not contact. You can still record what happened, such as a call from them. Such
          interactions are counted separately.
        </p>
      )}
      {isShort && (
        <ChoiceButtons
          label="Outcome"
          isRequired
          isFirst
          choices={outcomes}
          value={form.values.outcome}
          onChoose={(value) => save.set({ outcome: value })}
          error={form.errors.outcome}
        >
          <Button variant="subtle" size="compact-sm" aria-keyshortcuts={OTHER_KEY} onClick={showAllFields}>
            Other…
          </Button>
        </ChoiceButtons>
      )}
      {isCall && !isOptOut && (
        <ChoiceButtons
          label="Follow up"
          choices={distinctChoices(followUps)}
          value={form.values.followUpOn}
          onChoose={(followUpOn) => save.set({ followUpOn })}
        />
      )}
      <div className={classes.grid}>
        {!isShort && (
          <>
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
              description={
                isCall ? `Leave empty for now (${timeZone})` : `Leave empty to keep the earlier time (${timeZone})`
              }
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
          </>
        )}
        {people.length > 0 && (
          <Select label="Spoke to" clearable searchable data={people} {...form.getInputProps('personId')} />
        )}
        {isCall && !isOptOut && followUpField}
        <Textarea
          label="Summary"
          autosize
          minRows={isShort ? 1 : 2}
          {...(!isShort && { className: classes.wide })}
          {...form.getInputProps('summary')}
        />
        {!isShort && (
          <NameTagsInput
            label="Participants"
            inputWrapperOrder={below}
            description="Names. Press Enter after each name."
            acceptValueOnBlur
            {...form.getInputProps('participants')}
          />
        )}
        {isOptOut && <OptOutFields form={form} values={blockValues} isSaving={save.isSaving} />}
        {!isCall && followUpField}
      </div>
    </SaveForm>
  )
}

function saveLabel({ isOptOut, isCall, goesOn }: Record<'isOptOut' | 'isCall' | 'goesOn', boolean>): string {
  if (isOptOut) return 'Record and mark as do not contact'
  if (!isCall) return 'Save correction'
  return goesOn ? 'Save and next' : 'Save'
}

function SaveKeys({ hasOther }: { hasOther: boolean }) {
  return (
    <span className={classes.keys}>
      <Kbd size="xs">Ctrl</Kbd>+<Kbd size="xs">Enter</Kbd> saves
      {hasOther && (
        <>
          {' '}
          and opens the next, +<Kbd size="xs">Shift</Kbd> stays
        </>
      )}
    </span>
  )
}

/** Registers the keys of the short form, which work while no text field has the focus. */
function useCallKeys(keys: readonly { label: string; keyCap?: string | undefined; run: () => void }[]): void {
  useActions(
    'record',
    keys.map(({ label, keyCap = '', run }) => ({
      id: `call-${keyCap}`,
      label,
      group: 'Log call',
      keys: keyCap,
      inPalette: false,
      run,
    })),
  )
}
