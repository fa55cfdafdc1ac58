import type { SourceAdapter, SourceHistoryItem } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../ui/api/session.ts'
import { By } from '../../ui/layout/facts.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { formatDate } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { useContractContext } from './contract-checklist.tsx'
import { type Context, contractChanges } from './contract-words.ts'
import { circuitWords, codeWords, historyWords, itemName } from './source-words.ts'
import classes from './sources.module.css'
import { historyQuery } from './sources.queries.ts'

/** History of the source, newest first; versions with their differences. */
export function HistoryPart({ sourceId, adapter }: { sourceId: string; adapter: SourceAdapter | undefined }) {
  const context = useContractContext(adapter)
  const { timeZone } = useSession().tenant
  const list = useInfiniteQuery(historyQuery(sourceId))
  return (
    <ListBody list={list} data={list.data} noun="events" lines={4} empty={<Empty title="No history yet" />}>
      {(items) => (
        <ol className={classes.rows} aria-label="History, newest first">
          {items.map((item) => (
            <li key={item.id}>
              <div>
                <b>{historyWords[item.kind]}</b> {detailsOf(item, timeZone)}
                {item.reason !== null && (
                  <span className={classes.soft}>
                    <Name of={item.reason} />
                  </span>
                )}
                {item.kind === 'version' && <Changes item={item} items={items} context={context} />}
                {item.jobId !== null && (
                  <Link to="/jobs/$jobId" params={{ jobId: item.jobId }}>
                    Its job
                  </Link>
                )}
              </div>
              <span className={classes.meta}>
                <By person={item.actor} at={item.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </ListBody>
  )
}

function detailsOf(item: SourceHistoryItem, timeZone: string): string {
  const parts = [
    item.kind === 'version' ? `number ${item.contractVersion}` : '',
    item.desk === null ? '' : `for the ${item.desk} desk`,
    item.endsAt === null ? '' : `until ${formatDate(item.endsAt, timeZone)}`,
    item.circuit === null ? '' : circuitWords[item.circuit].toLowerCase(),
    item.outcome === null || item.kind === 'dry_run' ? '' : item.outcome,
    item.cause === null ? '' : codeWords(item.cause),
    item.items.map(({ item: name, problem }) => `${itemName(name)} ${codeWords(problem)}`).join(', '),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Differences from the previous version, if it is loaded. */
type ChangesProps = { item: SourceHistoryItem; items: SourceHistoryItem[]; context: Context }

function Changes({ item, items, context }: ChangesProps) {
  const before = items.find((one) => one.kind === 'version' && one.contractVersion === (item.contractVersion ?? 0) - 1)
  if (before === undefined) return null
  const changes = contractChanges(before.contract ?? {}, item.contract ?? {}, itemName, context)
  return <span className={classes.soft}>{changes.length === 0 ? 'No differences.' : changes.join('; ')}</span>
}
