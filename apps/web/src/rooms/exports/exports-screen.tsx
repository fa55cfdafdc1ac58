import type { Export } from '@prospect/api-client'
import { useMemo } from 'react'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { DownloadButton } from './export-dialog.tsx'
import { ExportStatus } from './export-status.tsx'
import { auditWords, formatName, holdingWords, removedWords, reportWords, sizeWords } from './export-words.ts'
import { exportPages } from './exports.queries.ts'

function contentOf(made: Export, sentenceOf: Props['sentenceOf']) {
  if (made.source === 'report') return <Name of={reportWords(made)} />
  return made.source === 'audit' ? auditWords(made) : sentenceOf(made)
}

/** `sentenceOf` describes the requested prospects as their list did. */
type Props = { sentenceOf: (made: Export) => string }

const columnsWith = (sentenceOf: Props['sentenceOf']): readonly DataColumn<Export>[] => [
  {
    id: 'content',
    label: 'Content',
    width: 22,
    isFixed: true,
    isGrowing: true,
    render: (made) => (
      <>
        <b>{contentOf(made, sentenceOf)}</b>
        <span className={cells.under}>{holdingWords(made)}</span>
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 15,
    narrow: 'wide',
    render: (made) => (
      <>
        <ExportStatus status={made.status} />
        <Until made={made} />
      </>
    ),
  },
  {
    id: 'requested',
    label: 'Requested',
    width: 13,
    render: (made) => (
      <span className={cells.soft}>
        <DateTime at={made.createdAt} /> by <Name of={made.createdBy.name} />
      </span>
    ),
  },
  {
    id: 'file',
    label: 'File',
    width: 10,
    render: (made) => made.status === 'ready' && <DownloadButton made={made} size="xs" />,
  },
]

export function ExportsScreen({ sentenceOf }: Props) {
  return (
    <ListScreen
      name="exports"
      nouns={{ one: 'export', many: 'exports' }}
      title="Exports"
      label="Exports"
      lead="Files of prospects, reports and the audit, stored for a day. We check do not contact again before each download; outdated files can't be downloaded."
      isWrapped
      columns={useMemo(() => columnsWith(sentenceOf), [sentenceOf])}
      pages={exportPages}
      clear={null}
      empty={
        <Empty title="No exports yet">
          Use the Export button on a list of prospects, on a report or on the audit log.
        </Empty>
      }
    />
  )
}

function Until({ made }: { made: Export }) {
  const { status, file } = made
  if (file === null) return <span className={cells.under}>{formatName(made)}</span>
  return (
    <span className={cells.under}>
      {formatName(made)}, {sizeWords(file.bytes)}
      {status === 'ready' ? (
        <>
          , until <DateTime at={file.expiresAt} as="dateTime" />
        </>
      ) : (
        `. ${removedWords(made)}`
      )}
    </span>
  )
}
