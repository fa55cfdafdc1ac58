import { Checkbox, TextInput } from '@mantine/core'
import type { DomainSummary } from '@prospect/api-client'
import { IconClipboardText, IconScale } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { type OnVisibleRows, useVisibleRows } from '../../ui/lists/use-visible-rows.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { Name } from '../../ui/text/name.tsx'
import { parseDomainSearch } from './domain-search.ts'
import { HIDDEN, statusWords } from './domain-words.ts'
import classes from './domains.module.css'
import { domainPages, type ListedDomain } from './domains.queries.ts'
import { UnicodeName } from './unicode-name.tsx'

export function DomainsScreen() {
  if (!useCan('domains.read')) return <NoPermission isPage what="the domains" />
  return <Domains />
}

function Domains() {
  const search = useSearch({ from: '/desk/domains', select: parseDomainSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/domains' })
  const { list, rows, total, see } = useVisiblePages(domainPages(search))
  const set = (part: Record<string, string | null>) =>
    void navigate({ search: parseDomainSearch({ ...search, ...part }), replace: true, resetScroll: false })
  const paste: Action = {
    id: 'domains.paste',
    label: 'Record DNS output',
    group: 'Domains',
    Icon: IconClipboardText,
    keys: 'n',
    keywords: 'dig paste mx ns txt',
    permission: 'domains.record',
    to: '/domains/paste',
  }
  const candidates: Action = {
    id: 'domains.candidates',
    label: 'Decide candidates',
    group: 'Domains',
    Icon: IconScale,
    keys: 'c',
    permission: 'domains.read',
    to: '/domains/candidates',
  }
  useActions('screen', [paste, candidates])
  return (
    <Page
      title="Domains"
      lead="Web domains that prospects use, or that somebody looked up: what DNS showed, and what waits for a decision."
      actions={
        <>
          <ActionButton action={paste} iconSize={16} />
          <ActionButton action={candidates} iconSize={16} />
        </>
      }
    >
      <Filters search={search} set={set} />
      <ListBody
        list={list}
        data={list.data && { items: rows, total }}
        noun="domains"
        clear={Object.keys(search).length > 0 ? () => void navigate({ search: {}, resetScroll: false }) : null}
        empty={
          <Empty title="No domain is known yet">
            Domains appear when a prospect has a web domain or an email address there, or when somebody records DNS
            output.
          </Empty>
        }
      >
        {(items) => <DomainTable domains={items} see={see} />}
      </ListBody>
    </Page>
  )
}

type FilterProps = { search: ReturnType<typeof parseDomainSearch>; set: (part: Record<string, string | null>) => void }

function Filters({ search, set }: FilterProps) {
  const known = search.search ?? ''
  const [typed, setTyped] = useState(known)
  useEffect(() => setTyped(known), [known])
  return (
    <search className={classes.filters}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          set({ search: typed })
        }}
      >
        <TextInput
          label="Begins with"
          size="xs"
          role="searchbox"
          maxLength={253}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => typed !== known && set({ search: typed })}
        />
      </form>
      <Checkbox
        label="Waiting for a decision"
        checked={search.isWaiting === 'true'}
        onChange={(event) => set({ isWaiting: event.currentTarget.checked ? 'true' : null })}
      />
    </search>
  )
}

function DomainTable({ domains, see }: { domains: ListedDomain[]; see: OnVisibleRows }) {
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'domain', 'Domains')
  return (
    <table ref={table} className={classes.table} aria-label="Domains">
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">Used by</th>
          <th scope="col">DNS</th>
          <th scope="col">Waiting</th>
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={domain.id}>
            <td className={classes.value}>
              {domain.domain === HIDDEN ? (
                HIDDEN
              ) : (
                <Link to="/domains/about" search={{ domain: domain.domain }}>
                  <UnicodeName of={domain.unicode} />
                </Link>
              )}
              {domain.unicode !== domain.domain && <span className={classes.soft}>{domain.domain}</span>}
              {domain.doNotContact && <DoNotContactMark />}
            </td>
            <td>
              <Users of={domain} />
            </td>
            <td>{knownWords(domain)}</td>
            <td>{domain.openCandidates === 0 ? '—' : candidateCount(domain.openCandidates)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Users({ of: { businesses, uses } }: { of: DomainSummary }) {
  if (uses === 0) return 'No prospect'
  return (
    <>
      {businesses.map(({ id, name, doNotContact }) => (
        <span key={id}>
          <Link to="/prospects/$businessId" params={{ businessId: id }}>
            <Name of={name} />
          </Link>{' '}
          {doNotContact && <DoNotContactMark />}
        </span>
      ))}
      {uses > businesses.length && <span className={classes.soft}>{uses - businesses.length} more</span>}
    </>
  )
}

function knownWords({ statuses }: DomainSummary): string {
  const known = statuses.filter(({ status }) => status !== 'not_checked')
  if (known.length === 0) return 'Not checked'
  return known
    .map(({ kind, status, state }) => `${kind}: ${statusWords[status]}${state === 'stale' ? ' (stale)' : ''}`)
    .join(' · ')
}

const candidateCount = (count: number) => (count === 1 ? '1 candidate' : `${count} candidates`)
