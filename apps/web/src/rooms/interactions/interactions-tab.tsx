import { Button } from '@mantine/core'
import type { Business, Interaction } from '@prospect/api-client'
import { IconArrowBackUp, IconBan, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DateTime } from '../../ui/date-time.tsx'
import classes from '../../ui/entries.module.css'
import { LoadMore } from '../../ui/load-more.tsx'
import { Origin } from '../../ui/origin.tsx'
import { outcomeName } from '../../ui/outcome-words.ts'
import { useCan } from '../../ui/session.ts'
import { Empty, Failed, LoadingLines } from '../../ui/states.tsx'
import { InteractionForm } from './interaction-form.tsx'
import { channelName, directionName } from './interaction-words.ts'
import { interactionsQuery } from './interactions.queries.ts'

/** undefined: the form is closed; null: open and blank; otherwise what is corrected. */
export type OpenInteraction = Interaction | null | undefined
type Props = { business: Business; open: OpenInteraction; setOpen: (open: OpenInteraction) => void }

export function InteractionsTab({ business, open, setOpen }: Props) {
  const list = useInfiniteQuery(interactionsQuery(business.id))
  const canAdd = useCan('interactions.write') && business.status === 'active'
  const isOpen = open !== undefined && canAdd
  const addButton = canAdd && !isOpen && (
    <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setOpen(null)}>
      Record interaction
    </Button>
  )
  return (
    <div className={classes.tab}>
      {isOpen && (
        <InteractionForm
          key={open?.id ?? 'new'}
          businessId={business.id}
          corrects={open}
          isBlocked={business.doNotContact !== null}
          close={() => setOpen(undefined)}
        />
      )}
      {list.isPending && <LoadingLines />}
      {list.isError && !list.data && (
        <Failed error={list.error} retry={() => void list.refetch()} what="the interactions" />
      )}
      {list.data?.items.length === 0 && !isOpen && (
        <Empty title="No interactions yet" action={addButton}>
          Write down calls, meetings and messages that people had. Nothing is sent from here, and none moves the
          prospect in the pipeline.
        </Empty>
      )}
      {list.data && list.data.items.length > 0 && (
        <>
          <div className={classes.head}>{addButton}</div>
          <ol className={classes.list} aria-label="Interactions, latest first">
            {list.data.items.map((one) => (
              <InteractionItem
                key={one.id}
                interaction={one}
                shownOn={business.id}
                correct={canAdd ? () => setOpen(one) : null}
              />
            ))}
          </ol>
          <LoadMore what="interactions" {...list} data={list.data} />
        </>
      )}
    </div>
  )
}

type ItemProps = { interaction: Interaction; shownOn: string; correct: (() => void) | null }

function InteractionItem({ interaction, shownOn, correct }: ItemProps) {
  const isOld = interaction.correctedById !== null
  return (
    <li className={classes.item} data-old={isOld} id={`interaction-${interaction.id}`}>
      <div className={classes.claim}>
        <p>
          <b>{outcomeName(interaction.outcome)}</b>{' '}
          <span className={classes.by}>{channelName(interaction.channel)}</span>
        </p>
        {interaction.summary !== null && <p className={classes.observation}>{interaction.summary}</p>}
      </div>
      <p className={classes.meta}>
        <span>
          <DateTime at={interaction.occurredAt} as="dateTime" />
        </span>
        {interaction.direction !== null && <span>{directionName(interaction.direction)}</span>}
        {interaction.participants.length > 0 && <span>with {interaction.participants.join(', ')}</span>}
        {interaction.followUpOn !== null && <span>come back to it on {interaction.followUpOn}</span>}
        <span>recorded by {interaction.createdBy.name}</span>
        <Origin of={interaction.businessId} on={shownOn} />
      </p>
      {interaction.onDoNotContact && (
        <p className={classes.blocked}>
          <IconBan size={13} aria-hidden /> Recorded while the prospect was not to be contacted; counted apart
        </p>
      )}
      <p className={classes.chain}>
        {isOld && <a href={`#interaction-${interaction.correctedById}`}>Corrected by a later entry</a>}
        {interaction.correctsId !== null && (
          <a href={`#interaction-${interaction.correctsId}`}>Corrects an earlier one</a>
        )}
        {!isOld && correct !== null && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={13} />}
            onClick={correct}
          >
            Correct this
          </Button>
        )}
      </p>
    </li>
  )
}
