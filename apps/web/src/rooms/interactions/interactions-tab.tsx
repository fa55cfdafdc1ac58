import type { Business, Interaction } from '@prospect/api-client'
import { IconBan } from '@tabler/icons-react'
import { useCanWork } from '../../ui/api/session.ts'
import classes from '../../ui/prospects/entries.module.css'
import { type EntriesList, EntriesTab, EntryChain } from '../../ui/prospects/entries-tab.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { RecordActionButton } from '../../ui/rooms/record-action-button.tsx'
import { useRecordForm } from '../../ui/rooms/record-page.ts'
import type { RecordForm } from '../../ui/rooms/record-parts.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { outcomeName } from '../../ui/text/outcome-words.ts'
import { draftName, InteractionForm } from './interaction-form.tsx'
import { channelName, directionName } from './interaction-words.ts'
import { interactionsQuery } from './interactions.queries.ts'

/** The interaction form. It starts with the interaction to correct, or blank for null. */
export const interactionForm: RecordForm<Interaction | null> = { id: 'interaction', tab: 'interactions' }

export function InteractionsTab({ business }: { business: Business }) {
  const [open, setOpen] = useRecordForm(interactionForm)
  const canAdd = useCanWork('interactions.write', business)
  const { doNotContact } = business
  const canBlock =
    useCanWork('businesses.block', business) && (doNotContact === null || doNotContact.through === 'suppression')
  return (
    <EntriesTab
      query={interactionsQuery(business.id)}
      anchor="interaction"
      what="interactions"
      label="Interactions, latest first"
      add={
        canAdd
          ? {
              button: <RecordActionButton id="record.interaction" variant="default" />,
              label: 'Log call',
              draftName: draftName(business.id, null),
            }
          : null
      }
      form={
        // Stays open even if the record no longer accepts interactions, because the typed text would be lost.
        open !== undefined ? (
          <InteractionForm
            key={open?.id ?? 'new'}
            businessId={business.id}
            corrects={open}
            isBlocked={business.doNotContact !== null}
            canOptOut={canBlock && open === null}
            close={() => setOpen(undefined)}
            reopen={() => setOpen(open)}
          />
        ) : null
      }
      empty={{
        title: 'No interactions yet',
        text: 'Record calls, meetings and messages here. Nothing is sent, and the pipeline state does not change.',
      }}
      item={(one, list) => (
        <InteractionItem
          key={one.id}
          interaction={one}
          list={list}
          shownOn={business.id}
          correct={canAdd ? () => setOpen(one) : null}
        />
      )}
    />
  )
}

type ItemProps = { interaction: Interaction; list: EntriesList; shownOn: string; correct: (() => void) | null }

function InteractionItem({ interaction, list, shownOn, correct }: ItemProps) {
  return (
    <li
      className={classes.item}
      data-old={interaction.correctedById !== null}
      id={`${list.anchor}-${interaction.id}`}
      tabIndex={-1}
    >
      <div className={classes.claim}>
        <p>
          <b>{outcomeName(interaction.outcome)}</b>{' '}
          <span className={classes.by}>{channelName(interaction.channel)}</span>
        </p>
        {interaction.summary !== null && (
          <p className={classes.observation}>
            <Name of={interaction.summary} />
          </p>
        )}
      </div>
      <p className={classes.meta}>
        <span>
          <DateTime at={interaction.occurredAt} as="dateTime" />
        </span>
        {interaction.direction !== null && <span>{directionName(interaction.direction)}</span>}
        {interaction.participants.length > 0 && <span>with {interaction.participants.map(nameText).join(', ')}</span>}
        {interaction.followUpOn !== null && <span>follow up on {formatDay(interaction.followUpOn)}</span>}
        <span>
          recorded by <Name of={interaction.createdBy.name} />
        </span>
        <Origin of={interaction.businessId} on={shownOn} />
      </p>
      {interaction.onDoNotContact && (
        <p className={classes.blocked}>
          <IconBan size={13} aria-hidden /> Recorded while the prospect was marked do not contact. Counted separately
        </p>
      )}
      <EntryChain
        list={list}
        newer={{ id: interaction.correctedById, words: 'Corrected by a later entry' }}
        older={{ id: interaction.correctsId, words: 'Corrects an earlier one' }}
        correct={correct === null ? null : { run: correct, draftName: draftName(shownOn, interaction) }}
      />
    </li>
  )
}
