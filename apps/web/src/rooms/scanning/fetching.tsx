import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Business, planScan, type ScanCondition, type ScanPlan } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCanWork } from '../../ui/api/session.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { resolverOf } from '../../ui/text/resolver-words.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import { conditionWords } from './scan-words.ts'
import classes from './scanning.module.css'
import { fetchPages, refreshScanning, statusQuery } from './scanning.queries.ts'

/** `typed` is the address as typed; the plan shows it with private parts masked. */
type Planned = { plan: ScanPlan; typed: string }

/** Plan of the requests that a fetch would send. Without an enabled source it lists each unmet condition and who can resolve it. */
export function Fetching({ business }: { business: Business }) {
  const status = useQuery(statusQuery)
  const canPlan = useCanWork('scanning.plan', business)
  const [planned, setPlanned] = useState<Planned | null>(null)
  if (status.data === undefined) return null
  const unmet = status.data.conditions.filter(({ isMet }) => !isMet)
  return (
    <section aria-labelledby="fetching" className={classes.part}>
      <h2 id="fetching">Fetch pages</h2>
      {unmet.length > 0 && (
        <>
          <p>Fetching is disabled.</p>
          <Unmet conditions={unmet} />
        </>
      )}
      {canPlan && <PlanForm business={business} show={setPlanned} />}
      <div role="status">
        {planned !== null && <Plan business={business} {...planned} close={() => setPlanned(null)} />}
      </div>
    </section>
  )
}

function Unmet({ conditions }: { conditions: readonly ScanCondition[] }) {
  return (
    <ul className={classes.reasons}>
      {conditions.map(({ key, since, resolvedBy }) => (
        <li key={key}>
          {conditionWords[key]}{' '}
          {since !== null && (
            <>
              Since <DateTime at={since} />.{' '}
            </>
          )}
          {sentenceCase(resolverOf(resolvedBy))} can resolve this.
        </li>
      ))}
    </ul>
  )
}

function PlanForm({ business, show }: { business: Business; show: (planned: Planned | null) => void }) {
  const [domain] = business.domains
  const save = useSaveForm({
    initial: { url: domain?.normalized == null ? '' : `https://${domain.normalized}/` },
    validate: ({ url }): FieldErrors => (url.trim() === '' ? { url: 'Enter the address of the start page.' } : {}),
    send: ({ url }) => dataOf(planScan({ body: { businessId: business.id, url: url.trim() } })),
    onSaved: (plan, { url }) => show({ plan, typed: url.trim() }),
    onChange: () => show(null),
    isUndoable: true,
  })
  return (
    <SaveForm
      save={save}
      className={classes.actions}
      actions={
        <Button type="submit" variant="default" loading={save.isSaving}>
          Show the plan
        </Button>
      }
    >
      <TextInput
        label="Start page"
        description="Must be on one of this prospect's domains"
        placeholder="https://"
        maxLength={2_000}
        {...save.form.getInputProps('url')}
      />
    </SaveForm>
  )
}

function Plan({ business, plan, typed, close }: Planned & { business: Business; close: () => void }) {
  const queryClient = useQueryClient()
  const canFetch = useCanWork('scanning.fetch', business)
  const { pages, maxPages, budgets, conditions } = plan
  const unmet = conditions.filter(({ isMet }) => !isMet)
  const start = useMutation({
    meta: { notDone: 'the scan' },
    mutationFn: () => fetchPages({ businessId: business.id, url: typed }, newKey()),
    onSuccess: (scan) => {
      close()
      void refreshScanning(queryClient)
      notifications.show({
        message:
          scan.cacheStatus === 'hit'
            ? 'A recent scan of this page exists, so nothing is sent.'
            : scan.state === 'deferred'
              ? 'The scan is postponed, so nothing is sent now.'
              : 'Scan requested',
      })
    },
  })
  return (
    <div className={classes.plan}>
      <p>
        Fetching would request these pages, and up to {countWords(maxPages, 'page', 'pages')} with the contact and about
        pages that they link to. Nothing was sent yet.
      </p>
      <ol className={classes.hops} aria-label="Pages of the plan">
        {pages.map((page) => (
          <li key={page}>
            <Name of={page} />
          </li>
        ))}
      </ol>
      <p className={classes.meta}>
        At most {countWords(budgets.scanMs / 1_000, 'second', 'seconds')},{' '}
        {formatNumber(budgets.wireBytesPerScan / 1_000_000)} MB and{' '}
        {countWords(budgets.redirectsPerScan, 'redirect', 'redirects')}.
      </p>
      {unmet.length > 0 && (
        <>
          <p>The app would fetch these pages later, because:</p>
          <Unmet conditions={unmet} />
        </>
      )}
      {canFetch && plan.canFetch && (
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          Fetch these pages
        </Button>
      )}
    </div>
  )
}
