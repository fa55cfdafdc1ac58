import type { Merge } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import compare from './compare.module.css'
import { CountsTable } from './counts-table.tsx'
import classes from './matching.module.css'
import { mergeQuery } from './matching.queries.ts'
import { areNone, valuesWords, valueText } from './matching-words.ts'
import { NextPair } from './next-pair.tsx'
import { Reversal } from './reversal.tsx'

/** Page of a merge: the decision, the values read back, and the effects of undoing it. */
export function MergeScreen() {
  const { mergeId } = useParams({ from: '/desk/duplicates/merges/$mergeId' })
  const merge = useQuery(mergeQuery(mergeId))
  return (
    <RecordBody record={merge} what="this merge" lines={10}>
      {(loaded) => <Loaded key={mergeId} merge={loaded} />}
    </RecordBody>
  )
}

function Loaded({ merge }: { merge: Merge }) {
  const { survivor, loser, status } = merge
  return (
    <Page
      width="text"
      title={status === 'merged' ? 'Merged' : 'Merged, then undone'}
      tab={`${nameText(loser.name)} into ${nameText(survivor.name)}`}
      lead={
        <>
          <RecordLink {...loser} /> into <RecordLink {...survivor} />, by{' '}
          <By person={merge.mergedBy} at={merge.mergedAt} />
        </>
      }
      back={<BackLink to="/duplicates/merges">Merge history</BackLink>}
    >
      {status === 'merged' && <NextPair merge={merge} />}
      <Facts className={classes.facts}>
        <Fact label="Reason">
          <GivenReason of={merge.reason} />
        </Fact>
        <Fact label="Suggestion">
          <Link to="/duplicates/$suggestionId" params={{ suggestionId: merge.suggestionId }}>
            The compared pair
          </Link>
        </Fact>
        <Fact label="Snapshot">
          {merge.choices === null ? 'Copy from before the merge, erased since then' : 'Both records before the merge'},{' '}
          <DateTime at={merge.snapshotAt} as="dateTime" />
          <details className={compare.more}>
            <summary>Id and fingerprint</summary>
            <code>{merge.snapshotId}</code>
            <br />
            <code>{merge.snapshotHash}</code>
          </details>
        </Fact>
      </Facts>
      <Choices merge={merge} />
      <ReadBack merge={merge} />
      <Reversal merge={merge} />
    </Page>
  )
}

function RecordLink(record: Merge['survivor']) {
  return (
    <Link to="/prospects/$businessId" params={{ businessId: record.id }}>
      <ProspectName {...record} />
    </Link>
  )
}

function Choices({ merge: { choices, survivor, loser } }: { merge: Merge }) {
  const nameOf = (id: string) => (id === survivor.id ? survivor.name : loser.name)
  return (
    <section aria-labelledby="merge-choices">
      <h2 id="merge-choices" className={classes.part}>
        Values that were used and values that were not used
      </h2>
      {choices === null && <p className={classes.soft}>A record of this merge was erased, together with its values.</p>}
      {choices?.length === 0 && <p className={classes.soft}>Both records had the same values.</p>}
      <Facts className={classes.facts}>
        {choices?.map(({ field, value, from, chosen, alternative }) => (
          <Fact key={field} label={fieldName(field)}>
            {valueText(field, value)}
            <span className={classes.soft}>
              of <Name of={nameOf(from)} />
              {chosen ? ', chosen' : ''}. Not used: {valueText(field, alternative.value)}
              {alternative.evidenceIds.length > 0 &&
                `, with ${countWords(alternative.evidenceIds.length, 'observation', 'observations')}`}
            </span>
          </Fact>
        ))}
      </Facts>
      {choices !== null && (
        <p className={classes.soft}>
          The addresses, numbers and tags of both records are kept. To see the added values, open the{' '}
          <Link to="/prospects/$businessId" params={{ businessId: survivor.id }} search={{ tab: 'activity' }}>
            activity of <Name of={survivor.name} />
          </Link>
          .
        </p>
      )}
    </section>
  )
}

/** Result of the read-back check: children are counted again in the transaction and compared with the snapshot. A difference aborts the merge. */
function ReadBack({ merge: { readBack, survivor, loser } }: { merge: Merge }) {
  const { leftOut } = readBack
  return (
    <section aria-labelledby="merge-read-back">
      <h2 id="merge-read-back" className={classes.part}>
        Checked after the merge
      </h2>
      <p className={classes.soft}>The entries were counted again after the merge. No entry is missing.</p>
      <CountsTable
        apart={[
          { key: 'survivor', heading: 'Kept record', counts: readBack.survivor },
          { key: 'merged', heading: 'Merged record', counts: readBack.loser },
        ]}
        together={{ key: 'seen', heading: 'Shown on the kept record', of: (kind) => readBack.throughSurvivor[kind] }}
      />
      <p className={classes.soft}>
        {readBack.doNotContact ? (
          <>
            <Name of={survivor.name} /> was marked do not contact afterwards.
          </>
        ) : (
          'Neither record was marked do not contact.'
        )}
        {!areNone(leftOut) && (
          <>
            {' '}
            {valuesWords(leftOut)} exceeded the limit of a record. You can still read them on <Name of={loser.name} />.
          </>
        )}
      </p>
    </section>
  )
}
