import { Button } from '@mantine/core'
import { checkDns, type Domain, type DomainAvailability } from '@prospect/api-client'
import { IconWorldPlus, IconWorldSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { Name } from '../../ui/text/name.tsx'
import { HIDDEN, unresolvedWords } from './domain-words.ts'
import classes from './domains.module.css'
import { availabilityQuery, domainQuery, refreshDomains } from './domains.queries.ts'
import { ObservationCard } from './observation-card.tsx'
import { OtherNames } from './other-names.tsx'
import { ProposeDomainDialog } from './propose-domain-dialog.tsx'
import { UnicodeName } from './unicode-name.tsx'
import { WithdrawDomainDialog, type Withdrawing } from './withdraw-domain-dialog.tsx'

/** Page of a domain: its parts, its users, DNS results and their limits. */
export function DomainScreen() {
  const { domain } = useSearch({ from: '/desk/domains/about' })
  const read = useQuery(domainQuery(domain))
  return (
    <Page width="text" back={<BackLink to="/domains">Domains</BackLink>}>
      <RecordBody record={read} what="this domain" lines={10}>
        {(loaded) => <DomainDetail domain={loaded} />}
      </RecordBody>
    </Page>
  )
}

/** Details of a domain and the actions on it. */
export function DomainDetail({ domain }: { domain: Domain }) {
  const proposing = useDialog()
  const withdrawing = useDialog<Withdrawing>()
  const propose: Action = {
    id: 'domain.propose',
    label: 'Propose for a prospect',
    group: 'Domains',
    Icon: IconWorldPlus,
    permission: 'domains.propose',
    unavailable: domain.domain === HIDDEN,
    asksMore: true,
    run: () => proposing.open(),
  }
  useActions('screen', [propose])
  return (
    <>
      <PageHead
        title={<UnicodeName of={domain.unicode} />}
        tab={domain.domain}
        lead={
          <>
            {domain.doNotContact && <DoNotContactMark />}
            {domain.openCandidates > 0 && (
              <p>
                <Link to="/domains/candidates" search={{ search: domain.domain }}>
                  {countWords(domain.openCandidates, 'candidate waits', 'candidates wait')} for a decision
                </Link>
              </p>
            )}
          </>
        }
        actions={
          <>
            <ActionButton action={propose} iconSize={16} variant="default" />
            <CheckButton domain={domain} />
          </>
        }
      />
      <Parts domain={domain} />
      <details className={classes.soft}>
        <summary>How this was read</summary>
        By suffix list {domain.suffixListVersion} and rules {domain.normalizationVersion}.
      </details>
      <h2 className={classes.part}>DNS</h2>
      <div className={classes.cards}>
        {domain.latest.map((latest) => (
          <ObservationCard key={latest.kind} latest={latest} />
        ))}
      </div>
      <OtherNames of={domain} />
      <Availability domain={domain.domain} />
      <h2 className={classes.part}>Prospects with this domain</h2>
      <Users domain={domain} />
      <h2 className={classes.part}>Accepted for</h2>
      <Associations domain={domain} withdraw={withdrawing.open} />
      {proposing.slot((_, dialog) => (
        <ProposeDomainDialog domain={domain.domain} {...dialog} />
      ))}
      {withdrawing.slot((accepted, dialog) => (
        <WithdrawDomainDialog {...accepted} {...dialog} />
      ))}
    </>
  )
}

function Parts({ domain }: { domain: Domain }) {
  return (
    <Facts>
      <Fact label="Name">
        <UnicodeName of={domain.label} />
      </Fact>
      <Fact label="Ending">.{domain.suffix}</Fact>
      {domain.unicode !== domain.domain && <Fact label="ASCII">{domain.domain}</Fact>}
      {domain.reason !== null && <Fact label="Uncertain">{unresolvedWords[domain.reason]}</Fact>}
      {(domain.isFreeMail || domain.isSharedHost) && (
        <Fact label="Shared">
          {domain.isFreeMail ? 'Anyone can have a mailbox there' : 'Anyone can have a page there'}
        </Fact>
      )}
      {domain.lookalikes.length > 0 && (
        <Fact label="Looks like">
          {domain.lookalikes
            .map(
              ({ domain: other, grade }) =>
                `${other} (${grade === 'foreign_letters' ? 'letters of another script' : 'similar letters'})`,
            )
            .join(', ')}
        </Fact>
      )}
    </Facts>
  )
}

function Users({ domain: { businesses, hiddenBusinesses } }: { domain: Domain }) {
  if (businesses.length + hiddenBusinesses === 0) return <p>None.</p>
  return (
    <ul>
      {businesses.map(({ id, name, doNotContact, byRecord, byEmail, hosts }) => (
        <li key={id}>
          <Link to="/prospects/$businessId" params={{ businessId: id }}>
            <Name of={name} />
          </Link>{' '}
          {doNotContact && <DoNotContactMark />}
          <span className={classes.soft}>
            {[byRecord ? `web domain ${hosts.join(', ')}` : null, byEmail ? 'email address' : null]
              .filter((word) => word !== null)
              .join(' · ')}
          </span>
        </li>
      ))}
      {hiddenBusinesses > 0 && <li>{hiddenBusinesses} marked do not contact</li>}
    </ul>
  )
}

type AssociationsProps = { domain: Domain; withdraw: (withdrawing: Withdrawing) => void }

function Associations({ domain: { domain, associations }, withdraw }: AssociationsProps) {
  const canDecide = useCan('domains.decide')
  if (associations.length === 0)
    return <p>No prospect has this domain. DNS does not show who owns a domain, so a person decides.</p>
  return (
    <ul>
      {associations.map(({ candidateId, business, originBusinessId, acceptedAt, acceptedBy, withdrawnAt }) => (
        <li key={candidateId}>
          <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
            <Name of={business.name} />
          </Link>{' '}
          {business.doNotContact && <DoNotContactMark />}
          <span className={classes.soft}>
            By <By person={acceptedBy} at={acceptedAt} />
            {originBusinessId !== business.id && ' · for a record merged into it'}
            {withdrawnAt !== null && ' · withdrawn'}
          </span>{' '}
          {canDecide && withdrawnAt === null && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Withdraw for ${business.name}`}
              onClick={() => withdraw({ candidateId, domain, businessName: business.name })}
            >
              Withdraw…
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Availability({ domain }: { domain: string }) {
  const { data } = useQuery(availabilityQuery(domain))
  if (data === undefined) return null
  return (
    <p className={classes.availability}>
      <b>Availability unknown.</b> {availabilityWords[data.reason]}
    </p>
  )
}

const availabilityWords: Record<DomainAvailability['reason'], string> = {
  no_provider: 'No provider is connected, and DNS does not show availability.',
}

const refusals: Record<string, string> = {
  no_source: 'No source for DNS queries is set up, so no query was sent.',
  circuit_open: 'The source was stopped after failures, so no query was sent.',
  do_not_contact: 'The domain is on the do-not-contact list, so no query was sent.',
  name_forbidden: 'The rules of the source do not allow this domain, so no query was sent.',
}

function CheckButton({ domain: { domain } }: { domain: Domain }) {
  const queryClient = useQueryClient()
  const check = useMutation({
    meta: { isTold: true },
    mutationFn: () => dataOf(checkDns({ body: { name: domain, kinds: ['MX', 'NS', 'TXT'] }, ...withKey(newKey()) })),
    onSettled: () => refreshDomains(queryClient),
  })
  if (!useCan('domains.check')) return null
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconWorldSearch size={16} stroke={1.7} aria-hidden />}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        Check now
      </Button>
      <span role="status" className={classes.soft}>
        {check.isError && sentenceOf(check.error)}
        {check.data !== undefined && answerWords(check.data)}
      </span>
    </div>
  )
}

function answerWords(answer: Awaited<ReturnType<typeof checkDns>>['data']): string {
  if (answer === undefined) return ''
  if (!('outcome' in answer)) return 'Queries sent.'
  if (answer.outcome === 'answered') return 'An earlier answer is still fresh, so no query was sent.'
  if (answer.detail !== null) return `No query sent. ${answer.detail}`
  return refusals[answer.reason ?? ''] ?? `No query sent: ${(answer.reason ?? answer.outcome).replaceAll('_', ' ')}.`
}
