import type { SourceFile } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { By } from '../../ui/layout/facts.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { Name } from '../../ui/text/name.tsx'
import { filePages } from './sources.queries.ts'

/** Number of characters of a hash that are shown. */
const SHOWN_HASH = 16

/** List of the files that prospects were made from. Each leads to its prospects, which can be exported or erased there. */
export function FilesScreen() {
  return (
    <ListScreen
      name="source-files"
      nouns={{ one: 'file', many: 'files' }}
      title="Files"
      tab="Files · Sources"
      label="Files recorded as sources, newest first"
      lead="Files that prospects were made from. No row of a file is stored."
      isWrapped
      columns={columns}
      pages={filePages}
      clear={null}
      empty={
        <Empty title="No files yet">
          A file is recorded when you <Link to="/sources/csv-preview">open it</Link> and work through its rows.
        </Empty>
      }
    />
  )
}

const columns: readonly DataColumn<SourceFile>[] = [
  {
    id: 'file',
    label: 'File',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: ({ name, sha256 }) => (
      <>
        <span className={cells.name}>
          <Name of={name} />
        </span>
        <span className={cells.under}>SHA-256 {sha256.slice(0, SHOWN_HASH)}…</span>
      </>
    ),
  },
  { id: 'purpose', label: 'Purpose', width: 16, narrow: 'wide', render: ({ purpose }) => <Name of={purpose} /> },
  {
    id: 'legalBasis',
    label: 'Legal basis',
    width: 14,
    narrow: 'wide',
    render: ({ legalBasis }) => <Name of={legalBasis} />,
  },
  { id: 'owner', label: 'Owner', width: 12, render: ({ owner }) => <Name of={owner.name} /> },
  {
    id: 'recorded',
    label: 'Recorded',
    width: 14,
    render: ({ createdBy, createdAt }) => <By person={createdBy} at={createdAt} />,
  },
  {
    id: 'prospects',
    label: 'Prospects',
    width: 10,
    render: ({ name, label }) => (
      <Link to="/prospects" search={{ sourceLabel: label }} aria-label={`Prospects of ${name}`}>
        Prospects
      </Link>
    ),
  },
]
