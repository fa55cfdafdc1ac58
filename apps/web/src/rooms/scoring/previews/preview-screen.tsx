import type { ScoringMove, ScoringPreview, ScoringPreviewResult } from '@prospect/api-client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useCan } from '../../../ui/api/session.ts'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { ProspectName } from '../../../ui/prospects/prospect-name.tsx'
import { rangeWords } from '../../../ui/prospects/score-words.ts'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { movesQuery, previewPermission, previewQuery, ruleSetQuery } from '../scoring.queries.ts'
import { cellName } from './distribution-words.ts'
import type { MoveSearch } from './move-search.ts'
import { PreviewResult } from './preview-result.tsx'

/** Page of a full preview, with the largest moves of a selected cell. */
export function PreviewScreen() {
  const { previewId } = useParams({ from: '/desk/scoring/previews/$previewId' })
  const preview = useQuery(previewQuery(previewId, useCan(previewPermission)))
  return (
    <RecordBody record={preview} what="this preview" lines={10}>
      {(loaded) => <PreviewPage preview={loaded} />}
    </RecordBody>
  )
}

function PreviewPage({ preview }: { preview: ScoringPreview }) {
  const { ruleSetId, version, result } = preview
  const search = useSearch({ from: '/desk/scoring/previews/$previewId' })
  const ruleSet = useQuery(ruleSetQuery(ruleSetId)).data
  return (
    <Page
      title={`Preview of version ${version}`}
      lead={ruleSet === undefined ? undefined : <Name of={ruleSet.name} />}
      back={
        <BackLink to="/scoring/rule-sets/$ruleSetId/versions/$version" params={{ ruleSetId, version: String(version) }}>
          Version {version}
        </BackLink>
      }
    >
      <PreviewResult preview={preview} />
      {result !== null && <Moves preview={preview} result={result} search={search} />}
    </Page>
  )
}

type MovesProps = { preview: ScoringPreview; result: ScoringPreviewResult; search: MoveSearch }

function Moves({ preview, result, search }: MovesProps) {
  const { of = 'priority', from, to } = search
  const list = useInfiniteQuery(movesQuery(preview.id, { ...search, of }))
  const nameOf = (id: string) => cellName(of, id, result)
  return (
    <section aria-labelledby="moves">
      <h2 id="moves" className={classes.part}>
        {from === undefined || to === undefined
          ? `Largest changes, by ${of}`
          : `Largest changes from ${nameOf(from)} to ${nameOf(to)}`}
      </h2>
      <ListBody
        list={list}
        data={list.data}
        noun="moves"
        lines={4}
        empty={
          <Empty title="No changes">
            {from === undefined
              ? 'All scores are unchanged.'
              : 'No score of these prospects changes. Choose another number of the table.'}
          </Empty>
        }
      >
        {(items) => <MoveTable moves={items} nameOf={nameOf} />}
      </ListBody>
    </section>
  )
}

function MoveTable({ moves, nameOf }: { moves: ScoringMove[]; nameOf: (id: string) => string }) {
  const words = (range: ScoringMove['before']) => (range === null ? 'no score' : rangeWords(range.low, range.high))
  return (
    <FixedTable look="stacked" className={classes.table} aria-label="Moves">
      <thead>
        <tr>
          <th scope="col">Prospect</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr key={move.businessId}>
            <td>
              <Link to="/prospects/$businessId" params={{ businessId: move.businessId }}>
                <ProspectName name={move.name} doNotContact={move.doNotContact} />
              </Link>
            </td>
            <td>
              {nameOf(move.from)}, {words(move.before)}
            </td>
            <td>
              {nameOf(move.to)}, {words(move.after)}
            </td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}
