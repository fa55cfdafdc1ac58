import { Button, Collapse, UnstyledButton } from '@mantine/core'
import type { Business, Fact } from '@prospect/api-client'
import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconCircleDashed,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import { InPlace } from '../../../ui/fields/in-place.tsx'
import { amongNewest } from '../../../ui/text/among-newest.ts'
import { ClaimValue } from '../../../ui/text/claim-value.tsx'
import { DayOrTime } from '../../../ui/text/day-or-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { NormalizedValue } from '../../../ui/text/normalized-value.tsx'
import { type ContactFieldName, isEditable, textField } from '../cells/edited-fields.ts'
import { FieldEditor } from '../cells/field-editor.tsx'
import { CopyValue } from './copy-value.tsx'
import { standingWords } from './fact-words.ts'
import classes from './overview.module.css'
import type { OverviewRow } from './overview-rows.ts'

type Props = {
  row: OverviewRow
  business: Business
  canEdit: boolean
  addEvidence: ((row: OverviewRow) => void) | null
}
type StandingProps = Pick<Props, 'row' | 'addEvidence'>

/** A fact: its value, uncertainty and evidence. */
export function FactRow({ row, business, canEdit, addEvidence }: Props) {
  const { label, value, note, doubt, readAs, name, field } = row
  const kind = contactKinds.find((one) => one === field)
  return (
    <div className={classes.row}>
      <dt>{label}</dt>
      <dd className={classes.value}>
        <InPlace
          label={textField(name).label}
          canEdit={canEdit && isEditable(business, name)}
          editor={(close) => <FieldEditor business={business} field={name} close={close} />}
          tools={
            kind !== undefined &&
            value !== null &&
            !business.valuesHidden && <CopyValue business={business} kind={kind} value={value} />
          }
        >
          {value === null ? (
            <span className={classes.unknown}>Not known</span>
          ) : (
            <>
              <NormalizedValue value={value} normalized={row.shown} className={classes.text} />
              {note !== null && (
                <span className={classes.note}>
                  <Name of={note} />
                </span>
              )}
              {readAs !== null && <span className={classes.aside}>stored as {readAs}</span>}
              {doubt !== null && (
                <span className={classes.doubt}>
                  <IconInfoCircle size={14} aria-hidden />
                  {doubt}
                </span>
              )}
            </>
          )}
        </InPlace>
      </dd>
      <dd className={classes.standing}>{value !== null && <Standing row={row} addEvidence={addEvidence} />}</dd>
    </div>
  )
}

/** Adds a further email, phone or web domain below those that the record has. */
export function AddRow({ label, field, business }: { label: string; field: ContactFieldName; business: Business }) {
  return (
    <div className={classes.row} data-adds>
      <dt>
        <span className="pp-visually-hidden">{label}</span>
      </dt>
      <dd className={classes.value}>
        <InPlace
          label={label}
          canEdit
          isNew
          editor={(close) => <FieldEditor business={business} field={field} close={close} />}
        />
      </dd>
    </div>
  )
}

const contactKinds = ['email', 'phone', 'domain'] as const

function Standing({ row, addEvidence }: StandingProps) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const { fact } = row
  if (fact === undefined || (fact.standing === 'unsupported' && fact.undecided === 0)) {
    return (
      <span className={classes.none}>
        <IconCircleDashed size={14} aria-hidden />
        <span>
          {fact === undefined || fact.newestCounted === null ? 'No evidence yet' : `No evidence${amongNewest(fact)}`}
          {addEvidence !== null && ' '}
        </span>
        {addEvidence !== null && (
          <button type="button" className={`pp-link ${classes.quiet}`} onClick={() => addEvidence(row)}>
            add one
            <span className="pp-visually-hidden">
              {' '}
              for {row.label.toLowerCase()} {nameText(row.value ?? '')}
            </span>
          </button>
        )}
      </span>
    )
  }
  return (
    <>
      <UnstyledButton
        className={classes.toggle}
        data-standing={fact.standing}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-label={`${standingWords(fact)}, evidence for ${row.label.toLowerCase()}`}
        onClick={() => setIsOpen((before) => !before)}
      >
        <StandingIcon standing={fact.standing} />
        <span>{standingWords(fact)}</span>
        <IconChevronRight size={14} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={listId}>
        <FactEvidence fact={fact} />
        {addEvidence !== null && (
          <Button variant="subtle" size="compact-xs" onClick={() => addEvidence(row)}>
            Add evidence
          </Button>
        )}
      </Collapse>
    </>
  )
}

function StandingIcon({ standing }: Pick<Fact, 'standing'>) {
  if (standing === 'supported') return <IconCircleCheck size={14} aria-hidden />
  return standing === 'contradicted' ? (
    <IconAlertTriangle size={14} aria-hidden />
  ) : (
    <IconInfoCircle size={14} aria-hidden />
  )
}

function FactEvidence({ fact }: { fact: Fact }) {
  const shown = fact.evidence.length
  const all = fact.supporting + fact.contradicting + fact.undecided
  return (
    <ul className={classes.evidence}>
      {fact.evidence.map((one) => (
        <li key={one.id}>
          <ClaimValue claim={one} value={fact.value} /> · <Name of={one.sourceLabel ?? one.sourceReference ?? ''} /> ·{' '}
          {one.confidence} confidence ·{' '}
          {one.observedAt === null ? (
            <>
              captured <DayOrTime at={one.capturedAt} on={one.capturedOn} as="date" />
            </>
          ) : (
            <>
              observed <DayOrTime at={one.observedAt} on={one.observedOn} as="date" />
            </>
          )}
        </li>
      ))}
      {all > shown && (
        <li>
          The newest {shown} of {formatNumber(all)}; see the evidence list for the others.
        </li>
      )}
    </ul>
  )
}
