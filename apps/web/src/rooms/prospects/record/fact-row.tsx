import { ActionIcon, Button, Collapse, Tooltip, UnstyledButton } from '@mantine/core'
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
import { countWords } from '../../../ui/text/count-words.ts'
import { DayOrTime } from '../../../ui/text/day-or-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { NormalizedValue } from '../../../ui/text/normalized-value.tsx'
import { type ContactFieldName, isContactField, isEditable, textField } from '../cells/edited-fields.ts'
import { FieldEditor } from '../cells/field-editor.tsx'
import { CopyValue } from './copy-value.tsx'
import { FactHistory, HistoryButton } from './fact-history.tsx'
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

/** A fact: its value, uncertainty, evidence and earlier values. */
export function FactRow({ row, business, canEdit, addEvidence }: Props) {
  const { label, value, note, doubt, readAs, name, field } = row
  const [showsHistory, setShowsHistory] = useState(false)
  const kind = contactKinds.find((one) => one === field)
  return (
    <div className={classes.row} data-empty={value === null || undefined}>
      <dt>{label}</dt>
      <dd className={classes.value}>
        <InPlace
          label={textField(name).label}
          canEdit={canEdit && isEditable(business, name)}
          editor={(close) => <FieldEditor business={business} field={name} close={close} />}
          tools={
            <>
              {kind !== undefined && value !== null && !business.valuesHidden && (
                <CopyValue business={business} kind={kind} value={value} />
              )}
              {hasHistory(row) && (
                <HistoryButton label={label} isOpen={showsHistory} toggle={() => setShowsHistory(!showsHistory)} />
              )}
            </>
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
      {showsHistory && (
        <dd style={acrossColumns}>
          <FactHistory row={row} business={business} canEdit={canEdit} />
        </dd>
      )}
    </div>
  )
}

/** Across the columns of the value and its evidence. */
const acrossColumns = { gridColumn: '2 / -1' }

/** A list of contact values has one history, which its first row shows. */
const hasHistory = ({ name }: OverviewRow): boolean => !isContactField(name) || name.endsWith('.0')

type AddProps = { label: string; field: ContactFieldName; business: Business; first?: OverviewRow }

/** Adds an email, phone or web domain. `first`: the row of a list without values, whose label and history this row shows. */
export function AddRow({ label, field, business, first }: AddProps) {
  const [showsHistory, setShowsHistory] = useState(false)
  return (
    <div className={classes.row} data-adds={first === undefined || undefined}>
      <dt>{first === undefined ? <span className="pp-visually-hidden">{label}</span> : label}</dt>
      <dd className={classes.value}>
        <InPlace
          label={label}
          canEdit
          isNew
          editor={(close) => <FieldEditor business={business} field={field} close={close} />}
        />
        {first !== undefined && (
          <HistoryButton label={label} isOpen={showsHistory} toggle={() => setShowsHistory(!showsHistory)} />
        )}
      </dd>
      {first !== undefined && showsHistory && (
        <dd style={acrossColumns}>
          <FactHistory row={first} business={business} canEdit />
        </dd>
      )}
    </div>
  )
}

const contactKinds = ['email', 'phone', 'domain'] as const

function Standing({ row, addEvidence }: StandingProps) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const { fact } = row
  if (fact === undefined || (fact.standing === 'unsupported' && fact.undecided === 0)) {
    const words =
      fact === undefined || fact.newestCounted === null ? 'No evidence yet' : `No evidence${amongNewest(fact)}`
    const of = `for ${row.label.toLowerCase()} ${nameText(row.value ?? '')}`
    return addEvidence === null ? (
      <NoEvidence words={words} label={`${words} ${of}`} />
    ) : (
      <NoEvidence words={`${words}. Click to add it.`} label={`${words}: add it ${of}`} run={() => addEvidence(row)} />
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

/** Icon with its words on hover, on focus and for screen readers. It adds evidence if the person may. */
function NoEvidence({ words, label, run }: { words: string; label: string; run?: () => void }) {
  return (
    <Tooltip label={words} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon size={24} aria-label={label} onClick={run}>
        <IconCircleDashed size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
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
          These are the newest {shown} of {countWords(all, 'observation', 'observations')}. The tab Evidence lists all.
        </li>
      )}
    </ul>
  )
}
