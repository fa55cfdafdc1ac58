import type { BusinessSummary } from '@prospect/api-client'
import { IconFileCheck } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import cells from '../../../ui/lists/cells.module.css'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { CallHours } from '../../../ui/prospects/call-hours-part.ts'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { PlaceDoubtMark } from '../../../ui/prospects/place-doubt-mark.tsx'
import { reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { PriorityText, ReachableText, ScoreText } from '../../../ui/prospects/score-cells.tsx'
import { eligibilityWords } from '../../../ui/prospects/score-words.ts'
import { ShownState } from '../../../ui/prospects/shown-state.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { facts, factText, isNumberFact, type ListedFact, listedFacts } from '../../../ui/text/facts.ts'
import { formatNumber, formatWeekday } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { NormalizedValue } from '../../../ui/text/normalized-value.tsx'
import { provinceName } from '../../../ui/text/provinces.ts'
import classes from './list.module.css'

/** Link of a row. A click shows the record beside the list; in a new tab the record has a page of its own. */
function ProspectLink({ business }: { business: BusinessSummary }) {
  const isPanelOpen = useLocation({ select: ({ state }) => state.panel === true })
  return (
    <Link
      to="/prospects/$businessId"
      params={{ businessId: business.id }}
      search={({ tab: _, ...rest }) => rest}
      state={{ panel: true }}
      replace={isPanelOpen}
      className={cells.name}
      preload={false}
    >
      <Name of={business.name} />
    </Link>
  )
}

const unknown = <span className={classes.unknown}>–</span>

function Text({ value }: { value: string | null }) {
  return value === null ? (
    unknown
  ) : (
    <span className={classes.ellipsis}>
      <Name of={value} />
    </span>
  )
}

/** The first people of a prospect with their roles, and the number of further ones. */
function People({ people, furtherPeople }: BusinessSummary) {
  if (people.length === 0) return unknown
  const shown = people.map(({ name, role }) => nameText(role === null ? name : `${name}, ${role}`))
  const text = [...shown, ...(furtherPeople > 0 ? [`${furtherPeople} more`] : [])].join(' · ')
  return (
    <span className={classes.ellipsis} title={text}>
      {text}
    </span>
  )
}

/** The optional column of a fact. */
function factColumn(field: ListedFact): DataColumn<BusinessSummary> {
  return {
    id: field,
    label: facts[field].label,
    width: widths[field] ?? (isNumberFact(field) ? 7.5 : 10.75),
    isOptional: true,
    ...(isNumberFact(field) && { sort: { ascending: field, descending: `-${field}`, first: 'descending' } }),
    render: (row) => <Text value={factText(row[field])} />,
  }
}
const widths: Partial<Record<ListedFact, number>> = { tradingName: 11.25 }

export const prospectColumns: readonly DataColumn<BusinessSummary>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 17.5,
    isFixed: true,
    isPinned: true,
    sort: { ascending: 'name', descending: '-name', first: 'ascending' },
    render: (row) => (
      <>
        <ProspectLink business={row} />
        {row.doNotContact && <DoNotContactMark />}
        {!row.isNameKnown && <span className={classes.soft}>trading name</span>}
        {row.status !== 'active' && <span className={classes.soft}>{row.status}</span>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 8.25,
    sort: { ascending: 'state', descending: '-state', first: 'ascending' },
    render: (row) => <ShownState businessId={row.id} state={row.pipelineState} />,
  },
  {
    id: 'assignee',
    label: 'Assignee',
    width: 7.25,
    sort: { ascending: 'assignee', descending: '-assignee', first: 'ascending' },
    render: (row) => <Text value={row.assignee?.name ?? null} />,
  },
  {
    id: 'city',
    label: 'City',
    width: 7.5,
    sort: { ascending: 'city', descending: '-city', first: 'ascending' },
    render: (row) => (
      <>
        <Text value={row.city} />
        <PlaceDoubtMark doubts={row.placeDoubts} />
      </>
    ),
  },
  {
    id: 'province',
    label: 'Province',
    width: 8.75,
    isOptional: true,
    render: (row) => <Text value={row.provinceCode === null ? row.province : provinceName(row.provinceCode)} />,
  },
  {
    id: 'phone',
    label: 'Phone',
    width: 8.5,
    render: ({ primaryPhone, primaryPhoneNormalized }) =>
      primaryPhone === null ? (
        unknown
      ) : (
        <NormalizedValue value={primaryPhone} normalized={primaryPhoneNormalized} className={classes.ellipsis} />
      ),
  },
  {
    id: 'calls',
    label: 'Calls',
    width: 13,
    isOptional: true,
    sort: { ascending: 'mayBeCalled', descending: 'mayBeCalled', first: 'ascending' },
    render: ({ doNotContact, primaryPhone, callCountry }) =>
      doNotContact || primaryPhone === null ? (
        unknown
      ) : (
        <CallHours country={callCountry} className={classes.ellipsis} />
      ),
  },
  {
    id: 'people',
    label: 'People',
    width: 15,
    isOptional: true,
    render: People,
  },
  { id: 'email', label: 'Email', width: 10.25, render: (row) => <Text value={row.primaryEmail} /> },
  {
    id: 'evidence',
    label: 'Evidence',
    width: 7.75,
    render: (row) =>
      row.evidenceCount > 0 ? (
        <span className={classes.has}>
          <IconFileCheck size={15} stroke={1.7} aria-hidden />
          {formatNumber(row.evidenceCount)}
        </span>
      ) : (
        <span className={classes.soft}>None</span>
      ),
  },
  {
    id: 'score',
    label: 'Score',
    width: 7,
    sort: { ascending: 'score', descending: '-score', first: 'descending' },
    render: (row) => <ScoreText score={row.score} />,
  },
  {
    id: 'priority',
    label: 'Priority',
    width: 7,
    isOptional: true,
    render: (row) => <PriorityText score={row.score} />,
  },
  {
    id: 'reachable',
    label: 'Possible priority',
    width: 7,
    isOptional: true,
    render: (row) => <ReachableText score={row.score} />,
  },
  {
    id: 'eligibility',
    label: 'Eligibility',
    width: 8,
    isOptional: true,
    render: ({ score }) => (score.eligibility === null ? unknown : eligibilityWords[score.eligibility]),
  },
  {
    id: 'review',
    label: 'Review',
    width: 8,
    isOptional: true,
    render: ({ review }) =>
      `${reviewStateWords[review.state]}${review.isDue && review.state === 'deferred' ? ', due' : ''}`,
  },
  {
    id: 'updatedAt',
    label: 'Updated',
    width: 8,
    sort: { ascending: 'updatedAt', descending: '-updatedAt', first: 'descending' },
    render: (row) => <DateTime at={row.updatedAt} className={classes.soft} />,
  },
  {
    id: 'followUpOn',
    label: 'Follow-up',
    width: 8.5,
    sort: { ascending: 'followUpOn', descending: '-followUpOn', first: 'ascending' },
    render: (row) => (row.followUpOn === null ? unknown : formatWeekday(row.followUpOn)),
  },
  {
    id: 'lastInteractionAt',
    label: 'Last interaction',
    width: 8.25,
    isOptional: true,
    sort: { ascending: 'lastInteractionAt', descending: '-lastInteractionAt', first: 'ascending' },
    render: (row) =>
      row.lastInteractionAt === null ? unknown : <DateTime at={row.lastInteractionAt} className={classes.soft} />,
  },
  ...listedFacts.map(factColumn),
  {
    id: 'domain',
    label: 'Domain',
    width: 11.25,
    isOptional: true,
    render: (row) => <Text value={row.primaryDomain} />,
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 12.5,
    isOptional: true,
    render: (row) =>
      row.tags.length === 0
        ? unknown
        : row.tags.map((tag) => (
            <span key={tag} className={classes.tag}>
              <Name of={tag} />
            </span>
          )),
  },
  {
    id: 'createdAt',
    label: 'Created',
    width: 8.25,
    isOptional: true,
    sort: { ascending: 'createdAt', descending: '-createdAt', first: 'descending' },
    render: (row) => <DateTime at={row.createdAt} className={classes.soft} />,
  },
]

/** Row for a narrow screen without columns: the name, and below it the most important values. */
export function NarrowProspect({ row }: { row: BusinessSummary }) {
  return (
    <>
      <span className={classes.narrowFirst}>
        <ProspectLink business={row} />
        {row.doNotContact && <DoNotContactMark />}
      </span>
      <span className={classes.narrowSecond}>
        <ShownState businessId={row.id} state={row.pipelineState} />
        <span className={classes.ellipsis}>
          {[row.assignee?.name, row.city]
            .filter((text) => text !== undefined && text !== null)
            .map(nameText)
            .join(' · ')}
        </span>
        <PlaceDoubtMark doubts={row.placeDoubts} />
        {row.followUpOn === null ? (
          <DateTime at={row.updatedAt} />
        ) : (
          <span>follow-up {formatWeekday(row.followUpOn)}</span>
        )}
      </span>
    </>
  )
}
