import type { Export } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import list from '../../ui/lists/event-list.module.css'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { DownloadButton } from './export-dialog.tsx'
import { ExportStatus } from './export-status.tsx'
import { formatName, holdingWords, removedWords, reportWords, sizeWords } from './export-words.ts'
import classes from './exports.module.css'
import { exportsQuery, isUnderWay } from './exports.queries.ts'

/** How often the list is asked for again while one of its files is being written. */
const pollMs = 2_000

/** `sentenceOf`: which prospects were asked for, in the words of their list. */
type Props = { sentenceOf: (made: Export) => string }

export function ExportsScreen(props: Props) {
  if (!useCan('exports.read')) return <NoPermission isPage what="exports" />
  return <Exports {...props} />
}

function Exports({ sentenceOf }: Props) {
  const exports = useInfiniteQuery({
    ...exportsQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) === true ? pollMs : false,
  })
  return (
    <Page
      title="Exports"
      lead="Files of prospects and of reports, each for a day. Before one is handed out, everything in it is asked about again: a file with somebody who is do not contact by now stays here."
    >
      <ListBody
        list={exports}
        data={exports.data}
        noun="exports"
        empty={
          <Empty title="Nothing has been exported yet">
            Prospects and the figures of a report have a button Export where they are shown.
          </Empty>
        }
      >
        {(items) => <ExportTable exports={items} sentenceOf={sentenceOf} />}
      </ListBody>
    </Page>
  )
}

function ExportTable({ exports, sentenceOf }: Props & { exports: Export[] }) {
  return (
    <table className={list.table} aria-label="Exports">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">State</th>
          <th scope="col">Asked</th>
          <th scope="col">
            <span className="pp-visually-hidden">File</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {exports.map((made) => (
          <tr key={made.id}>
            <td className={classes.what}>
              <b>{made.source === 'report' ? <Name of={reportWords(made)} /> : sentenceOf(made)}</b>
              <span className={classes.under}>{holdingWords(made)}</span>
            </td>
            <td>
              <ExportStatus status={made.status} />
              <Until made={made} />
            </td>
            <td className={classes.asked}>
              <DateTime at={made.createdAt} /> by <Name of={made.createdBy.name} />
            </td>
            <td className={classes.act}>{made.status === 'ready' && <DownloadButton made={made} size="xs" />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Until({ made }: { made: Export }) {
  const { status, file, format } = made
  if (file === null) return <span className={classes.under}>{formatName(format)}</span>
  return (
    <span className={classes.under}>
      {formatName(format)}, {sizeWords(file.bytes)}
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
