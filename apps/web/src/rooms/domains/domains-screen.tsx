import { Checkbox } from '@mantine/core'
import type { DomainSummary } from '@prospect/api-client'
import { IconClipboardText, IconScale } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { FilterBar } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { Name } from '../../ui/text/name.tsx'
import { parseDomainSearch } from './domain-search.ts'
import { HIDDEN, statusWords } from './domain-words.ts'
import { domainPages, type ListedDomain } from './domains.queries.ts'
import { UnicodeName } from './unicode-name.tsx'

export function DomainsScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseDomainSearch)
  const paste: Action = {
    id: 'domains.paste',
    label: 'Paste DNS results',
    group: 'Domains',
    Icon: IconClipboardText,
    keys: 'shift+n',
    keywords: 'dig paste mx ns txt',
    permission: 'domains.record',
    to: '/domains/paste',
  }
  const candidates: Action = {
    id: 'domains.candidates',
    label: 'Review suggested domains',
    group: 'Domains',
    Icon: IconScale,
    keys: 'shift+d',
    permission: 'domains.read',
    to: '/domains/candidates',
  }
  useActions('screen', [paste, candidates])
  return (
    <ListScreen
      name="domains"
      nouns={{ one: 'domain', many: 'domains' }}
      title="Domains"
      label="Domains"
      lead="Web domains of prospects, with DNS data and open decisions."
      actions={
        <>
          <ActionButton action={candidates} iconSize={16} variant="default" />
          <ActionButton action={paste} iconSize={16} />
        </>
      }
      isWrapped
      columns={columns}
      pages={domainPages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <SearchField
            label="Domain contains"
            buttonLabel="Search"
            placeholder="example.co.za"
            maxLength={253}
            q={search.search ?? ''}
            search={(typed) => set({ search: typed })}
            action={{ id: 'domains-search', label: 'Search domains', group: 'Domains' }}
          />
          <Checkbox
            label="Waiting for a decision"
            checked={search.isWaiting === 'true'}
            onChange={(event) => set({ isWaiting: event.currentTarget.checked ? 'true' : null })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      empty={
        <Empty title="No domains yet">
          Domains appear here when a prospect has a web domain or email address, or when someone pastes DNS results.
        </Empty>
      }
    />
  )
}

const columns: readonly DataColumn<ListedDomain>[] = [
  {
    id: 'domain',
    label: 'Domain',
    width: 16,
    isFixed: true,
    isGrowing: true,
    render: (domain) => (
      <>
        {domain.domain === HIDDEN ? (
          HIDDEN
        ) : (
          <Link to="/domains/about" search={{ domain: domain.domain }} className={cells.name}>
            <UnicodeName of={domain.unicode} />
          </Link>
        )}
        {domain.unicode !== domain.domain && <span className={cells.under}>{domain.domain}</span>}
        {domain.doNotContact && <DoNotContactMark />}
      </>
    ),
  },
  {
    id: 'users',
    label: 'Used by',
    width: 16,
    isGrowing: true,
    narrow: 'wide',
    render: (domain) => <Users of={domain} />,
  },
  { id: 'dns', label: 'DNS', width: 16, narrow: 'wide', render: knownWords },
  {
    id: 'waiting',
    label: 'Waiting',
    width: 9,
    render: ({ openCandidates }) =>
      openCandidates === 0 ? '–' : countWords(openCandidates, 'candidate', 'candidates'),
  },
]

function Users({ of: { businesses, uses } }: { of: DomainSummary }) {
  if (uses === 0) return 'No prospect'
  return (
    <>
      {businesses.map(({ id, name, doNotContact }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to="/prospects/$businessId" params={{ businessId: id }}>
            <Name of={name} />
          </Link>
          {doNotContact && (
            <>
              {' '}
              <DoNotContactMark />
            </>
          )}
        </span>
      ))}
      {uses > businesses.length && <span className={cells.under}>{uses - businesses.length} more</span>}
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
