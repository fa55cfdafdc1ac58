import { Button } from '@mantine/core'
import type { Source, SourceAdapter, SourceOpenItem } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useIsOwn, useSession } from '../../ui/api/session.ts'
import { assigneesQuery } from '../../ui/prospects/assignees.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { listWords } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { type Context, itemWords } from './contract-words.ts'
import type { Decision } from './decide-source-dialog.tsx'
import { approvalRefusal, type BoundAdapter, type Desk, itemName, openItemWords, whoCan } from './source-words.ts'
import classes from './sources.module.css'
import { desksQuery } from './sources.queries.ts'

export type Open = Decision | 'version' | 'dry-run' | 'desks'

const listed = [
  'terms',
  'purposes',
  'scope',
  'rate',
  'concurrency',
  'timeoutMs',
  'maxBytes',
  'retry',
  'rawRetention',
  'health',
  'circuit',
  'settings',
] as const

const desks = ['product', 'legal', 'security'] as const

/** Context of the words of a contract: the names of members, and the adapter if it is loaded. */
export function useContractContext(adapter: SourceAdapter | undefined): Context {
  const { data: people = [] } = useQuery(assigneesQuery)
  return { adapter, nameOf: (userId) => people.find(({ id }) => id === userId)?.name }
}

type Props = {
  source: Source
  /** The adapter of the source, if it is loaded. */
  adapter: SourceAdapter | undefined
  bound: BoundAdapter
  open: (open: Open) => void
}

/** Items of the contract with their value or open problem, and the action that resolves it for users with the permission. */
export function ContractChecklist({ source, adapter, bound, open }: Props) {
  const { contract, openItems, kind } = source
  const canPropose = useCan('sources.propose')
  const context = useContractContext(adapter)
  const openOf = (item: string) => openItems.filter((one) => one.item === item)
  const items = kind === 'built_in' ? (['rawRetention'] as const) : listed
  return (
    <ul className={classes.rows} aria-label="Contract">
      {items.map((item) => {
        const found = [...openOf(item), ...(item === 'terms' ? openOf('terms_owner') : [])]
        const none = item === 'settings' ? 'none' : 'not set'
        return (
          <Item
            key={item}
            name={itemName(item)}
            problems={found.map((one) => one.detail ?? openItemWords(one, serverNow(), bound))}
            text={itemWords(item, contract, context) ?? none}
            who={canPropose || found[0] === undefined ? null : whoCan(found[0])}
          >
            {openOf(item).length > 0 && canPropose && !isDecided(source) && (
              <Button size="compact-xs" variant="default" onClick={() => open('version')}>
                New version…
              </Button>
            )}
          </Item>
        )
      })}
      {kind === 'adapter' && (
        <Item
          name="adapter"
          problems={openOf('adapter').map((one) => openItemWords(one, serverNow(), bound))}
          text="installed"
          who={adapterHelp(openOf('adapter')[0])}
        />
      )}
      {kind === 'adapter' &&
        desks.map((desk) => <DeskItem key={desk} source={source} desk={desk} bound={bound} open={open} />)}
      {kind === 'adapter' && !isDecided(source) && <EnablementItem source={source} bound={bound} open={open} />}
    </ul>
  )
}

const isDecided = ({ status }: Source) => status === 'withdrawn' || status === 'rejected'

/** Another installed version is resolved by a new version of the contract, a connector that is not installed by the operator. */
function adapterHelp(item: SourceOpenItem | undefined): string | null {
  if (item === undefined) return null
  return item.problem === 'changed'
    ? 'The installed connector has changed. Save a new version of the contract for the installed connector.'
    : whoCan(item)
}

/** Enablement of the source: until when, or who can enable it and what must be met first. */
function EnablementItem({ source, bound, open }: Pick<Props, 'source' | 'bound' | 'open'>) {
  const { openItems, author, status, enabledUntil } = source
  const isAuthor = useIsOwn(author)
  const canEnable = useCan('sources.enable')
  const missing = openItems.filter(({ item }) => item !== 'enablement')
  const problems = openItems.filter(({ item }) => item === 'enablement')
  const isEnabled = status === 'enabled' && problems.length === 0
  const isReady = missing.length === 0
  const [first] = problems
  const who = () => {
    if (isEnabled) return null
    if (!isReady) return 'Possible once the items above are met.'
    if (isAuthor) return 'You wrote this version, so another person enables it.'
    return canEnable || first === undefined ? null : whoCan(first)
  }
  return (
    <Item
      name="enablement"
      problems={
        isEnabled
          ? []
          : problems.length > 0
            ? problems.map((one) => openItemWords(one, serverNow(), bound))
            : ['not enabled']
      }
      text={
        enabledUntil !== null && (
          <>
            until <DateTime at={enabledUntil} as="date" />
          </>
        )
      }
      who={who()}
    >
      {!isEnabled && isReady && canEnable && !isAuthor && (
        <Button size="compact-xs" onClick={() => open({ kind: 'enable' })}>
          Enable source…
        </Button>
      )}
    </Item>
  )
}

type DeskProps = Pick<Props, 'source' | 'bound' | 'open'> & { desk: Desk }

/** Approval of a desk: who gave it, or who can give it and what prevents it. */
function DeskItem({ source, desk, bound, open }: DeskProps) {
  const { approvals, openItems, author } = source
  const { user } = useSession()
  const canApprove = useCan('sources.approve')
  const canConfigure = useCan('sources.configure')
  const members = useQuery(desksQuery).data?.[desk]
  const given = approvals.find((one) => one.desk === desk)
  const isAuthor = useIsOwn(author)
  const isMember = members?.some(({ id }) => id === user.id) === true
  const mayDecide = canApprove && isMember && !isAuthor && !isDecided(source)
  const isEmpty = given === undefined && members?.some(({ isActive }) => isActive) === false
  const problems = openItems
    .filter(({ item }) => item === `approval.${desk}`)
    .map((one) => openItemWords(one, serverNow(), bound))
  const deskHelp = () => {
    if (given !== undefined || isDecided(source)) return null
    if (isEmpty) return canConfigure ? null : 'An administrator chooses the people of the desks.'
    if (mayDecide) return null
    if (isMember && isAuthor) return 'You wrote this version, so another person of the desk decides.'
    const others =
      members
        ?.filter(({ id, isActive }) => isActive && !(author.kind === 'user' && author.id === id))
        .map(({ name }) => name) ?? []
    return others.length === 0
      ? 'Someone who is not the author must be on the desk. An administrator chooses the people of the desks.'
      : `Can be decided by ${listWords(others)}.`
  }
  const refusal = mayDecide && given === undefined ? approvalRefusal(source, serverNow(), bound) : null
  return (
    <Item
      name={itemName(`approval.${desk}`)}
      problems={[
        ...problems,
        ...(isEmpty ? [`nobody is on the ${desk} desk`] : []),
        ...(refusal === null ? [] : [refusal]),
      ]}
      text={
        given !== undefined && (
          <>
            by <Name of={given.by.name} />, until <DateTime at={given.endsAt} as="date" />
          </>
        )
      }
      who={deskHelp()}
    >
      {isEmpty && canConfigure && (
        <Button size="compact-xs" variant="default" onClick={() => open('desks')}>
          Choose people…
        </Button>
      )}
      {given !== undefined && canApprove && !isDecided(source) && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => open({ kind: 'revoke', decisionId: given.decisionId, what: `the ${desk} approval` })}
        >
          Revoke…
        </Button>
      )}
      {given === undefined && mayDecide && (
        <>
          <ActionButton
            size="compact-xs"
            variant="default"
            action={{
              id: `source.approve.${desk}`,
              label: 'Approve',
              group: 'Source',
              asksMore: true,
              unavailable: refusal ?? false,
              run: () => open({ kind: 'approve', desk }),
            }}
          />
          <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'reject', desk })}>
            Reject…
          </Button>
        </>
      )}
    </Item>
  )
}

type ItemProps = {
  name: string
  problems: string[]
  text: ReactNode
  /** Sentence about who resolves the problems, for a person who cannot. */
  who?: string | null
  children?: ReactNode
}

function Item({ name, problems, text, who = null, children }: ItemProps) {
  const isOpen = problems.length > 0
  return (
    <li>
      <div>
        <span className={classes.item} data-open={isOpen || undefined}>
          {isOpen ? (
            <IconAlertTriangle size={14} stroke={2} aria-label="Open" />
          ) : (
            <IconCheck size={14} stroke={2} aria-label="Met" />
          )}
          <b>{name.charAt(0).toUpperCase() + name.slice(1)}</b>
        </span>
        <span className={classes.soft}>{isOpen ? problems.join('; ') : text}</span>
        {isOpen && who !== null && <p className={classes.meta}>{who}</p>}
      </div>
      <div className={classes.actions}>{children}</div>
    </li>
  )
}
