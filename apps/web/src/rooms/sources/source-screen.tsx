import type { Source } from '@prospect/api-client'
import { IconFileText, IconPlayerPlay, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useIsOwn } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { findAdapter } from './adapter-choice.ts'
import { CircuitPart } from './circuit-part.tsx'
import { ContractChecklist, type Open } from './contract-checklist.tsx'
import { DecideSourceDialog } from './decide-source-dialog.tsx'
import { DesksDialog } from './desks-dialog.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { HealthPart } from './health-part.tsx'
import { HistoryPart } from './history-part.tsx'
import { NewVersionDialog } from './propose-dialog.tsx'
import { SourceStatus } from './source-status.tsx'
import { type BoundAdapter, sourceSentence } from './source-words.ts'
import classes from './sources.module.css'
import { adaptersQuery, sourceQuery } from './sources.queries.ts'

/** Page of a source: whether it may be queried and why not, its contract as a checklist, circuit breaker, health and history. */
export function SourceScreen() {
  const { sourceId } = useParams({ from: '/desk/sources/$sourceId' })
  const source = useQuery(sourceQuery(sourceId))
  return (
    <Page width="text" back={<BackLink to="/sources">Sources</BackLink>}>
      <RecordBody record={source} what="this source" lines={10}>
        {(loaded) => <SourcePage source={loaded} />}
      </RecordBody>
    </Page>
  )
}

export function SourcePage({ source }: { source: Source }) {
  // A dialog is about the version that was shown when it opened, even if live updates bring a newer one meanwhile. The server then refuses the change.
  const dialog = useDialog<{ open: Open; of: Source }>()
  const open = (wanted: Open) => dialog.open({ open: wanted, of: source })
  const { kind, status, author } = source
  const isAuthor = useIsOwn(author)
  const isOpen = kind === 'adapter' && status !== 'withdrawn'
  const adapters = useQuery(adaptersQuery).data?.items ?? []
  const adapter = findAdapter(adapters, source.adapter)
  const loaded = adapters.find(({ id }) => id === source.adapter?.id)
  const bound: BoundAdapter = source.adapter === null ? null : { ...source.adapter, loadedVersion: loaded?.version }
  const needs = source.openItems.filter(({ item }) => item !== 'enablement')
  const actions: Action[] = [
    {
      id: 'source.enable',
      label: status === 'enabled' ? 'Change end date' : 'Enable',
      group: 'Source',
      Icon: IconPlayerPlay,
      permission: 'sources.enable',
      asksMore: true,
      unavailable: isOpen
        ? isAuthor
          ? 'The author of a version cannot enable it.'
          : status === 'rejected' || needs.length > 0
            ? 'The contract is incomplete. Complete the items below first.'
            : false
        : true,
      run: () => open({ kind: 'enable' }),
    },
    {
      id: 'source.version',
      label: 'New version',
      group: 'Source',
      Icon: IconFileText,
      permission: 'sources.propose',
      asksMore: true,
      unavailable: status === 'withdrawn',
      run: () => open('version'),
    },
    {
      id: 'source.dry_run',
      label: 'Plan query',
      group: 'Source',
      Icon: IconRoute,
      permission: 'sources.dry_run',
      asksMore: true,
      unavailable:
        kind === 'built_in' ||
        (adapter?.query === null ? 'The app itself creates the queries of this connector.' : false),
      run: () => open('dry-run'),
    },
    {
      id: 'source.disable',
      label: 'Disable',
      group: 'Source',
      permission: 'sources.enable',
      asksMore: true,
      isDangerous: true,
      unavailable: status !== 'enabled' || kind === 'built_in',
      run: () => open({ kind: 'disable' }),
    },
    {
      id: 'source.withdraw',
      label: 'Withdraw',
      group: 'Source',
      permission: 'sources.enable',
      asksMore: true,
      isDangerous: true,
      unavailable: !isOpen,
      run: () => open({ kind: 'withdraw' }),
    },
  ]
  useActions('screen', actions)
  return (
    <>
      <PageHead
        title={<Name of={source.name} />}
        tab={source.name}
        lead={
          <>
            <p>{sourceSentence(source, serverNow(), bound)}</p>
            <p>
              <SourceStatus source={source} />
              {source.enabledUntil !== null && (
                <>
                  . Enablement ends <DateTime at={source.enabledUntil} as="date" />.
                </>
              )}
            </p>
          </>
        }
        actions={actions.map((action) => (
          <ActionButton
            key={action.id}
            action={action}
            iconSize={16}
            variant={action.id === 'source.enable' ? 'filled' : 'default'}
          />
        ))}
      />
      <SourceFacts source={source} />
      <h2 className={classes.part}>Contract, version {source.contractVersion}</h2>
      <ContractChecklist source={source} adapter={adapter} bound={bound} open={open} />
      {kind === 'adapter' && <CircuitPart source={source} />}
      <h2 className={classes.part}>Health</h2>
      <HealthPart sourceId={source.id} />
      <h2 className={classes.part}>History</h2>
      <HistoryPart sourceId={source.id} adapter={adapter} />
      {dialog.slot(({ open: opened, of }, props) => {
        if (opened === 'version') return <NewVersionDialog source={of} {...props} />
        if (opened === 'dry-run') return <DryRunDialog source={of} adapter={adapter} close={props.close} />
        if (opened === 'desks') return <DesksDialog close={props.close} />
        return <DecideSourceDialog source={of} decision={opened} {...props} />
      })}
    </>
  )
}

function SourceFacts({ source: { slug, description, adapter, author, createdAt } }: { source: Source }) {
  return (
    <Facts>
      <Fact label="Short name">{slug}</Fact>
      {description !== null && (
        <Fact label="Description">
          <Name of={description} />
        </Fact>
      )}
      <Fact label="Connector">
        {adapter === null
          ? 'Built in'
          : `${adapter.id} ${adapter.version}${adapter.isLoaded ? '' : ', not installed; the server operator can install it'}`}
      </Fact>
      <Fact label="Author">
        <Name of={author.name} />, source proposed <DateTime at={createdAt} as="date" />
      </Fact>
    </Facts>
  )
}
