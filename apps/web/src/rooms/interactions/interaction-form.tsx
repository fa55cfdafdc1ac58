import { Button, Textarea } from '@mantine/core'
import type { Interaction } from '@prospect/api-client'
import { addInteraction } from '@prospect/api-client'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { NotSaved } from '../../ui/forms/save-failure.tsx'
import classes from '../../ui/prospects/entries.module.css'
import { useEntryForm } from '../../ui/prospects/use-entry-form.ts'
import { outcomeOptions } from '../../ui/text/outcome-words.ts'
import {
  type InteractionFormValues,
  interactionBody,
  interactionFrom,
  isBlankInteraction,
  missingInInteraction,
  parseInteraction,
} from './interaction-form-values.ts'
import { channelOptions, directionOptions } from './interaction-words.ts'

/** Hints stand below the inputs, so that inputs side by side stay in line. */
const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

const inputs = ['occurredAt', 'channel', 'direction', 'outcome', 'summary', 'participants', 'followUpOn']

export const draftName = (businessId: string, corrects: Interaction | null): string =>
  `interaction-${businessId}${corrects === null ? '' : `-${corrects.id}`}`

type Props = {
  businessId: string
  corrects: Interaction | null
  isBlocked: boolean
  close: () => void
  reopen: () => void
}

export function InteractionForm({ businessId, corrects, isBlocked, close, reopen }: Props) {
  const { form, timeZone, failure, isSaving, discard, formProps } = useEntryForm<
    InteractionFormValues,
    ReturnType<typeof interactionBody>
  >({
    businessId,
    draftName: draftName(businessId, corrects),
    parse: parseInteraction,
    initial: interactionFrom(corrects),
    isBlank: isBlankInteraction,
    inputs,
    missing: missingInInteraction,
    bodyOf: (values, zone, now) => interactionBody(values, zone, corrects?.occurredAt ?? now),
    send: (body, key) => dataOf(addInteraction({ path: { businessId }, body, ...withKey(key) })),
    what: 'an interaction',
    saved: () =>
      corrects === null ? 'Interaction recorded.' : 'Interaction corrected. The earlier one stays in the history.',
    close,
    reopen,
  })

  return (
    <form
      {...formProps}
      className={classes.form}
      aria-label={corrects === null ? 'Record an interaction' : 'Correct an interaction'}
    >
      {corrects !== null && (
        <p className={classes.hint}>
          Interactions are never changed. What you save here counts in place of the earlier one, which stays readable
          below.
        </p>
      )}
      {isBlocked && (
        <p className={classes.hint}>
          This prospect is not to be contacted. You can write down what happened, for instance that they called; it
          lifts nothing and is counted apart.
        </p>
      )}
      <div className={classes.grid}>
        <Select label="How it ended" required data={outcomeOptions} data-first {...form.getInputProps('outcome')} />
        <Select label="By" data={channelOptions} {...form.getInputProps('channel')} />
        <TypedTime
          of="time"
          label="When"
          description={corrects === null ? `Blank: now (${timeZone})` : `Blank: as it stood (${timeZone})`}
          {...form.getInputProps('occurredAt')}
        />
        <Select
          label="Who began it"
          clearable
          inputWrapperOrder={below}
          description="If it is known"
          data={directionOptions}
          {...form.getInputProps('direction')}
        />
        <Textarea
          label="What was said"
          autosize
          minRows={2}
          className={classes.wide}
          {...form.getInputProps('summary')}
        />
        <NameTagsInput
          label="Who was there"
          inputWrapperOrder={below}
          description="Names; Enter after each"
          acceptValueOnBlur
          {...form.getInputProps('participants')}
        />
        <TypedTime
          of="day"
          label="Come back to it on"
          description="A note to yourself: nothing is planned or sent"
          {...form.getInputProps('followUpOn')}
        />
      </div>
      <NotSaved failure={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isSaving}>
          {corrects === null ? 'Record interaction' : 'Save correction'}
        </Button>
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
      </div>
    </form>
  )
}
