import type { DraftSummary } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { BehindNotice } from '../../ui/jobs/behind-notice.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { channelWords } from './draft-words.ts'
import { type DraftFilter, draftPages } from './drafts.queries.ts'
import { StateMark } from './state-mark.tsx'

export const MyDrafts = () => <Drafts name="Mine" filter={mine} empty="You have no open drafts" />
export const StaleDrafts = () => <Drafts name="Needs review" filter={stale} empty="No draft needs review" />
export const ApprovedDrafts = () => <Drafts name="Approved" filter={approved} empty="No draft is approved" />
export const ClosedDrafts = () => <Drafts name="Closed" filter={closed} empty="No draft is closed" />

const mine: DraftFilter = { mine: 'true' }
const stale: DraftFilter = { state: 'needs_review' }
const approved: DraftFilter = { state: 'approved' }
const closed: DraftFilter = { state: 'closed' }

type Props = { name: string; filter: DraftFilter; empty: string }

function Drafts({ name, filter, empty }: Props) {
  return (
    <ListScreen
      name="drafts"
      nouns={{ one: 'draft', many: 'drafts' }}
      title="Drafts"
      tab={`Drafts: ${name}`}
      label={`Drafts: ${name}`}
      lead="Texts that you write here and use elsewhere. Nothing is sent from here."
      isWrapped
      columns={columns}
      notices={<BehindNotice of="drafts" />}
      pages={draftPages(filter)}
      clear={null}
      empty={<Empty title={empty}>To write a draft, open a prospect and its Drafts tab.</Empty>}
    />
  )
}

const columns: readonly DataColumn<DraftSummary>[] = [
  {
    id: 'title',
    label: 'Draft',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (draft) => (
      <>
        <Link to="/drafts/$draftId" params={{ draftId: draft.id }} className={cells.name}>
          <Name of={draft.title} />
        </Link>
        <span className={cells.under}>
          <Name of={draft.business.name} />
          {draft.business.doNotContact && ' · Do not contact'}
        </span>
      </>
    ),
  },
  { id: 'state', label: 'State', width: 10, render: ({ state }) => <StateMark state={state} /> },
  { id: 'channel', label: 'Channel', width: 8, render: ({ channel }) => channelWords[channel] },
  { id: 'assignee', label: 'Assignee', width: 10, render: ({ assignee }) => <Name of={assignee.name} /> },
  { id: 'updated', label: 'Changed', width: 9, render: ({ updatedAt }) => <DateTime at={updatedAt} /> },
]
