import { Button } from '@mantine/core'
import type { Evidence } from '@prospect/api-client'
import { IconArrowBackUp, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DateTime } from '../../ui/date-time.tsx'
import classes from '../../ui/entries.module.css'
import { fieldName } from '../../ui/field-names.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Name } from '../../ui/name.tsx'
import { nameText } from '../../ui/name-text.ts'
import { Origin } from '../../ui/origin.tsx'
import { useCan } from '../../ui/session.ts'
import { Empty, Failed, LoadingLines } from '../../ui/states.tsx'
import { evidenceQuery } from './evidence.queries.ts'
import { EvidenceForm } from './evidence-form.tsx'
import type { EvidencePrefill } from './evidence-form-values.ts'

/** undefined: the form is closed; null: open and blank. */
export type OpenEvidence = EvidencePrefill | null | undefined
type Props = { businessId: string; open: OpenEvidence; setOpen: (open: OpenEvidence) => void }

export function EvidenceTab({ businessId, open, setOpen }: Props) {
  const list = useInfiniteQuery(evidenceQuery(businessId))
  const canAdd = useCan('evidence.write')
  const isOpen = open !== undefined && canAdd
  const addButton = canAdd && !isOpen && (
    <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setOpen(null)}>
      Add evidence
    </Button>
  )
  return (
    <div className={classes.tab}>
      {isOpen && (
        <EvidenceForm
          // Another request fills the form anew.
          key={JSON.stringify(open)}
          businessId={businessId}
          prefill={open}
          close={() => setOpen(undefined)}
        />
      )}
      {list.isPending && <LoadingLines />}
      {list.isError && !list.data && (
        <Failed error={list.error} retry={() => void list.refetch()} what="the evidence" />
      )}
      {list.data?.items.length === 0 && !isOpen && (
        <Empty title="No evidence yet" action={addButton}>
          Evidence says where a fact comes from, when it was seen and how sure you are.
        </Empty>
      )}
      {list.data && list.data.items.length > 0 && (
        <>
          <div className={classes.head}>{addButton}</div>
          <ol className={classes.list} aria-label="Evidence, newest first">
            {list.data.items.map((one) => (
              <EvidenceItem
                key={one.id}
                evidence={one}
                shownOn={businessId}
                correct={canAdd ? () => setOpen({ corrects: one }) : null}
              />
            ))}
          </ol>
          <LoadMore what="observations" {...list} data={list.data} />
        </>
      )}
    </div>
  )
}

type ItemProps = { evidence: Evidence; shownOn: string; correct: (() => void) | null }

function EvidenceItem({ evidence, shownOn, correct }: ItemProps) {
  const isOld = evidence.supersededById !== null
  return (
    <li className={classes.item} data-old={isOld} id={`evidence-${evidence.id}`}>
      <div className={classes.claim}>
        {evidence.field !== null && (
          <p>
            <span className={classes.field}>{fieldName(evidence.field)}</span>{' '}
            <b>
              <Name of={evidence.value ?? ''} />
            </b>
          </p>
        )}
        {evidence.observation !== null && <p className={classes.observation}>{evidence.observation}</p>}
      </div>
      <p className={classes.meta}>
        <span>
          {[evidence.sourceLabel, evidence.sourceReference]
            .filter((part) => part !== null)
            .map(nameText)
            .join(', ')}
        </span>
        <span>{evidence.confidence} confidence</span>
        {evidence.observedAt !== null && (
          <span>
            observed <DateTime at={evidence.observedAt} as="dateTime" />
          </span>
        )}
        <span>
          captured <DateTime at={evidence.capturedAt} as="dateTime" />
        </span>
        <span>
          added by <Name of={evidence.createdBy.name} />
        </span>
        <Origin of={evidence.businessId} on={shownOn} />
      </p>
      {evidence.context !== null && <p className={classes.extra}>{evidence.context}</p>}
      {evidence.url !== null && <p className={classes.extra}>{evidence.url}</p>}
      <p className={classes.chain}>
        {isOld && <a href={`#evidence-${evidence.supersededById}`}>Replaced by a newer observation</a>}
        {evidence.supersedesId !== null && <a href={`#evidence-${evidence.supersedesId}`}>Replaces an earlier one</a>}
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
