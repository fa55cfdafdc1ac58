import type { Business, Evidence } from '@prospect/api-client'
import { useCanWork } from '../../ui/api/session.ts'
import classes from '../../ui/prospects/entries.module.css'
import { type EntriesList, EntriesTab, EntryChain } from '../../ui/prospects/entries-tab.tsx'
import { Origin } from '../../ui/prospects/origin.tsx'
import { RecordActionButton } from '../../ui/rooms/record-action-button.tsx'
import { evidenceForm } from '../../ui/rooms/record-forms.ts'
import { useRecordForm } from '../../ui/rooms/record-page.ts'
import { DayOrTime } from '../../ui/text/day-or-time.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { evidenceQuery } from './evidence.queries.ts'
import { draftName, EvidenceForm } from './evidence-form.tsx'

export function EvidenceTab({ business }: { business: Business }) {
  const [open, setOpen] = useRecordForm(evidenceForm)
  const canAdd = useCanWork('evidence.write', business)
  return (
    <EntriesTab
      query={evidenceQuery(business.id)}
      anchor="evidence"
      what="evidence"
      counted="observations"
      label="Evidence, newest first"
      add={
        canAdd
          ? {
              button: <RecordActionButton id="record.evidence" variant="default" />,
              label: 'Add evidence',
              draftName: draftName(business.id, null),
            }
          : null
      }
      form={
        // Stays open even if the record no longer accepts evidence, because the typed text would be lost.
        open !== undefined ? (
          <EvidenceForm
            // A new start resets the form.
            key={JSON.stringify(open)}
            businessId={business.id}
            prefill={open}
            close={() => setOpen(undefined)}
            reopen={() => setOpen(open)}
          />
        ) : null
      }
      empty={{
        title: 'No evidence yet',
        text: 'Evidence shows where a fact comes from, when somebody saw it, and how sure you are.',
      }}
      item={(one, list) => (
        <EvidenceItem
          key={one.id}
          evidence={one}
          list={list}
          shownOn={business.id}
          correct={canAdd ? () => setOpen({ corrects: one }) : null}
        />
      )}
    />
  )
}

type ItemProps = { evidence: Evidence; list: EntriesList; shownOn: string; correct: (() => void) | null }

function EvidenceItem({ evidence, list, shownOn, correct }: ItemProps) {
  return (
    <li
      className={classes.item}
      data-old={evidence.supersededById !== null}
      id={`${list.anchor}-${evidence.id}`}
      tabIndex={-1}
    >
      <div className={classes.claim}>
        {evidence.field !== null && (
          <p>
            <span className={classes.field}>{fieldName(evidence.field)}</span>{' '}
            <b>
              <Name of={phoneText(evidence.value ?? '')} />
            </b>
          </p>
        )}
        {evidence.observation !== null && (
          <p className={classes.observation}>
            <Name of={evidence.observation} />
          </p>
        )}
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
            observed <DayOrTime at={evidence.observedAt} on={evidence.observedOn} as="dateTime" />
          </span>
        )}
        <span>
          captured <DayOrTime at={evidence.capturedAt} on={evidence.capturedOn} as="dateTime" />
        </span>
        <span>
          added by <Name of={evidence.createdBy.name} />
        </span>
        <Origin of={evidence.businessId} on={shownOn} />
      </p>
      {evidence.context !== null && (
        <p className={classes.extra}>
          <Name of={evidence.context} />
        </p>
      )}
      {evidence.url !== null && (
        <p className={classes.extra}>
          <Name of={evidence.url} />
        </p>
      )}
      <EntryChain
        list={list}
        newer={{ id: evidence.supersededById, words: 'Replaced by a newer observation' }}
        older={{ id: evidence.supersedesId, words: 'Replaces an earlier one' }}
        correct={correct === null ? null : { run: correct, draftName: draftName(shownOn, { corrects: evidence }) }}
      />
    </li>
  )
}
