import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Business, type OfficialSite, proposeOfficialSite } from '@prospect/api-client'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan, useCanWork, useIsOwn } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { evidenceForm } from '../../ui/rooms/record-forms.ts'
import { useRecordPage } from '../../ui/rooms/record-page.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { CancelScan } from './cancel-scan.tsx'
import { DecideSiteDialog, type SiteDecision } from './decide-site-dialog.tsx'
import { Fetching } from './fetching.tsx'
import { PageEvidenceDialog, type PageOfScan } from './page-evidence-dialog.tsx'
import { ScanItem } from './scan-item.tsx'
import { knownRepeats, siteWords } from './scan-words.ts'
import classes from './scanning.module.css'
import { acceptedDomainsQuery, refreshScanning, scansQuery, sitesQuery } from './scanning.queries.ts'

/** Official site of a prospect, and the facts observed on its pages. */
export function WebsiteTab({ business }: { business: Business }) {
  if (!useCan('scanning.read')) return <NoPermission what="websites" />
  return (
    <div className={classes.tab}>
      <Sites business={business} />
      <Fetching business={business} />
      <Scans business={business} />
    </div>
  )
}

function Sites({ business }: { business: Business }) {
  const list = useInfiniteQuery(sitesQuery(business.id))
  const deciding = useDialog<SiteDecision>()
  const canPropose = useCanWork('scanning.propose_site', business)
  const canDecide = useCanWork('scanning.approve_site', business)
  return (
    <section aria-labelledby="official-sites" className={classes.part}>
      <h2 id="official-sites">Official site</h2>
      {canPropose && <KnownHosts business={business} sites={list.data?.items} />}
      {canPropose && <Propose businessId={business.id} />}
      <ListBody
        list={list}
        data={list.data}
        noun="official sites"
        lines={2}
        empty={
          <Empty title="No official site yet">
            Contacts are read from an approved official site only. Propose the website of the prospect first.
          </Empty>
        }
      >
        {(sites) => (
          <ul className={classes.rows} aria-label="Official sites, newest first">
            {sites.map((site) => (
              <SiteRow key={site.id} site={site} decide={canDecide ? deciding.open : null} />
            ))}
          </ul>
        )}
      </ListBody>
      {deciding.slot((site, dialog) => (
        <DecideSiteDialog {...site} {...dialog} />
      ))}
    </section>
  )
}

function Propose({ businessId }: { businessId: string }) {
  const queryClient = useQueryClient()
  const save = useSaveForm({
    initial: { host: '' },
    validate: ({ host }): FieldErrors => (host.trim() === '' ? { host: 'Enter a website address.' } : {}),
    send: ({ host }, { key }) =>
      dataOf(proposeOfficialSite({ path: { businessId }, body: { host: host.trim() }, ...withKey(key) })),
    onSaved: () => {
      save.reset()
      void refreshScanning(queryClient)
      notifications.show({ message: 'Website proposed' })
    },
    what: 'the proposal',
    draft: { name: `official-site-${businessId}` },
  })
  return (
    <SaveForm
      save={save}
      className={classes.actions}
      actions={
        <Button type="submit" variant="default" loading={save.isSaving}>
          Propose official site
        </Button>
      }
    >
      <TextInput
        label="Website address"
        description="Such as www.karoo.co.za"
        maxLength={253}
        {...save.form.getInputProps('host')}
      />
    </SaveForm>
  )
}

type KnownHost = { host: string; domainCandidateId?: string; origin: string }

/** Hosts that can be proposed without typing: the domains on the record and those accepted for it, apart from those that have an entry already. */
function KnownHosts({ business, sites }: { business: Business; sites: OfficialSite[] | undefined }) {
  const queryClient = useQueryClient()
  const accepted = useQuery({ ...acceptedDomainsQuery(business.id), enabled: useCan('domains.read') })
  const propose = useMutation({
    meta: { notDone: 'the proposal' },
    mutationFn: ({ host, domainCandidateId }: KnownHost) =>
      dataOf(
        proposeOfficialSite({
          path: { businessId: business.id },
          body: { host, ...(domainCandidateId !== undefined && { domainCandidateId }) },
          ...withKey(newKey()),
        }),
      ),
    onSuccess: () => {
      void refreshScanning(queryClient)
      notifications.show({ message: 'Website proposed' })
    },
  })
  if (sites === undefined) return null
  const proposed = new Set(sites.flatMap(({ state, host }) => (['proposed', 'approved'].includes(state) ? [host] : [])))
  const hosts: KnownHost[] = (accepted.data ?? []).map(({ id, domain }) => ({
    host: domain,
    domainCandidateId: id,
    origin: 'was accepted for this prospect.',
  }))
  for (const { normalized } of business.domains)
    if (normalized !== null && !hosts.some(({ host }) => host === normalized))
      hosts.push({ host: normalized, origin: 'is a web domain of this prospect.' })
  const offered = hosts.filter(({ host }) => !proposed.has(host))
  if (offered.length === 0) return null
  return (
    <ul className={classes.rows} aria-label="Domains of this prospect">
      {offered.map((known) => (
        <li key={known.host}>
          <div>
            <Name of={known.host} /> <span className={classes.meta}>{known.origin}</span>
          </div>
          <Button
            size="xs"
            variant="default"
            aria-label={`Propose ${known.host} as official site`}
            loading={propose.isPending && propose.variables.host === known.host}
            onClick={() => propose.mutate(known)}
          >
            Propose
          </Button>
        </li>
      ))}
    </ul>
  )
}

type RowProps = { site: OfficialSite; decide: ((decision: SiteDecision) => void) | null; about?: ReactNode }

/** A site with its decision. `about`: the prospect, in a list of several. */
export function SiteRow({ site, decide, about }: RowProps) {
  const isOwn = useIsOwn(site.proposedBy)
  return (
    <li>
      <div>
        <b>{site.host === null ? 'Erased' : <Name of={site.host} />}</b> · {siteWords[site.state]}{' '}
        {site.state === 'approved' && site.validUntil !== null && <DateTime at={site.validUntil} as="date" />}
        <p className={classes.meta}>
          Proposed by <Name of={site.proposedBy.name} /> <DateTime at={site.proposedAt} />
          {site.reason !== null && (
            <>
              {' · '}
              <Name of={site.reason} />
            </>
          )}
          {about !== undefined && <> · {about}</>}
        </p>
      </div>
      {decide !== null && (
        <div className={classes.actions}>
          {site.state === 'proposed' && (
            <>
              {isOwn ? (
                <span className={classes.meta}>You proposed this site. Another person must approve it.</span>
              ) : (
                <Button size="xs" variant="light" onClick={() => decide({ site, decision: 'approve' })}>
                  Approve…
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => decide({ site, decision: 'reject' })}>
                Reject…
              </Button>
            </>
          )}
          {site.state === 'approved' && (
            <Button size="xs" variant="default" onClick={() => decide({ site, decision: 'withdraw' })}>
              Withdraw…
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function Scans({ business }: { business: Business }) {
  const list = useInfiniteQuery(scansQuery({ businessId: business.id }))
  const page = useRecordPage()
  const citing = useDialog<PageOfScan>()
  const canSupply = useCanWork('scanning.supply', business)
  const canAddEvidence = useCanWork('evidence.write', business)
  const supply = canSupply && (
    <Button variant="default" onClick={() => page.openDialog('supplied-page')}>
      Supply page…
    </Button>
  )
  return (
    <section aria-labelledby="scans" className={classes.part}>
      <h2 id="scans">Scans</h2>
      <ListBody
        list={list}
        data={list.data}
        noun="scans"
        lines={6}
        empty={
          <Empty title="No scan yet" action={supply}>
            Add a saved copy of a page. The app stores the facts on the page, and who added the copy and when.
          </Empty>
        }
      >
        {(scans) => (
          <>
            {supply}
            <ol className={classes.rows} aria-label="Scans, newest first">
              {scans.map((scan) => (
                <ScanItem
                  key={scan.id}
                  scan={scan}
                  control={<CancelScan scan={scan} />}
                  action={
                    canAddEvidence
                      ? (of, position) => (
                          <div className={classes.actions}>
                            {knownRepeats(of).length > 0 && (
                              <Button
                                size="compact-xs"
                                variant="default"
                                onClick={() => citing.open({ scanId: scan.id, position, page: of })}
                              >
                                Add as evidence…
                              </Button>
                            )}
                            <Button
                              size="compact-xs"
                              variant="default"
                              onClick={() =>
                                page.openForm(evidenceForm, {
                                  page: {
                                    url: of.url,
                                    sourceLabel: scan.suppliedBy === null ? 'Website' : 'Supplied page',
                                    observation: of.facts?.title ?? '',
                                  },
                                })
                              }
                            >
                              Add observation…
                            </Button>
                          </div>
                        )
                      : undefined
                  }
                />
              ))}
            </ol>
          </>
        )}
      </ListBody>
      {citing.slot((cited, dialog) => (
        <PageEvidenceDialog businessId={business.id} {...cited} {...dialog} />
      ))}
    </section>
  )
}
