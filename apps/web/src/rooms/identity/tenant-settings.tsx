import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type EditTenantData, editTenant, type Tenant } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { isProblem, messageAbout, sentenceOf } from '../../ui/api/api-problem.ts'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { refreshSession, useCan } from '../../ui/api/session.ts'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { changedFields } from '../../ui/forms/changed-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { countryName } from '../../ui/text/countries.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { zonesWith } from '../../ui/text/zone-time.ts'
import { tenantQuery } from './accounts.queries.ts'
import classes from './profile.module.css'

export function TenantSettings() {
  const tenant = useQuery(tenantQuery)
  const canConfigure = useCan('tenant.configure')
  // As high as what comes, so that what stands below stays where it is.
  if (tenant.isPending) return <LoadingLines lines={canConfigure ? 13 : 4} />
  if (!tenant.data) return <Failed error={tenant.error} retry={() => void tenant.refetch()} what="the tenant" />
  return canConfigure ? <TenantForm tenant={tenant.data} /> : <TenantFacts tenant={tenant.data} />
}

function TenantFacts({ tenant }: { tenant: Tenant }) {
  return (
    <div>
      <dl className={classes.facts}>
        <div>
          <dt>Name</dt>
          <dd>
            <Name of={tenant.name} />
          </dd>
        </div>
        <div>
          <dt>Time zone</dt>
          <dd>{tenant.timeZone}</dd>
        </div>
        <div>
          <dt>Country</dt>
          <dd>{countryName(tenant.country)}</dd>
        </div>
        <div>
          <dt>Term of suppression entries</dt>
          <dd>{termWords(tenant.suppressionReviewMonths)}</dd>
        </div>
      </dl>
      <p className="pp-quiet">Only administrators change these.</p>
    </div>
  )
}

/** As it stands in the fields. */
type Fields = { name: string; timeZone: string; country: string; months: string }

const fieldsOf = (tenant: Tenant): Fields => ({
  name: tenant.name,
  timeZone: tenant.timeZone,
  country: tenant.country,
  months: monthsText(tenant),
})

function parseTyped(kept: unknown): Partial<Fields> | null {
  if (typeof kept !== 'object' || kept === null) return null
  return {
    ...('name' in kept && typeof kept.name === 'string' && { name: kept.name }),
    ...('timeZone' in kept && typeof kept.timeZone === 'string' && { timeZone: kept.timeZone }),
    ...('country' in kept && typeof kept.country === 'string' && { country: kept.country }),
    ...('months' in kept && typeof kept.months === 'string' && { months: kept.months }),
  }
}

function TenantForm({ tenant }: { tenant: Tenant }) {
  const queryClient = useQueryClient()
  const draft = useDraft('tenant-settings', parseTyped)
  const [typed, setTyped] = useState(draft.restored?.value ?? {})
  const { name, timeZone, country, months } = { ...fieldsOf(tenant), ...typed }
  const [isMissing, setMissing] = useState(false)
  const [isNoTerm, setNoTerm] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const monthsInput = useRef<HTMLInputElement>(null)
  const term = monthsFrom(months)
  const change: EditTenantData['body'] = {
    ...(name.trim() === tenant.name ? {} : { name: name.trim() }),
    ...(timeZone === tenant.timeZone ? {} : { timeZone }),
    ...(country === tenant.country ? {} : { country }),
    ...(term !== undefined && term !== tenant.suppressionReviewMonths && { suppressionReviewMonths: term }),
  }
  const isChanged = term === undefined || Object.keys(change).length > 0

  const forget = () => {
    setTyped({})
    draft.clear()
    setMissing(false)
    setNoTerm(false)
  }

  const set = (part: Partial<Fields>) => {
    const next = changedFields(fieldsOf(tenant), { ...typed, ...part })
    setTyped(next)
    if (Object.keys(next).length === 0) draft.clear()
    else draft.keep(next)
  }

  const save = useMutation({
    meta: { notSaved: 'the tenant settings' },
    mutationFn: () => dataOf(editTenant({ body: change, ...ifMatch(tenant.version) })),
    onSuccess: async (saved) => {
      queryClient.setQueryData(tenantQuery.queryKey, saved)
      forget()
      void queryClient.invalidateQueries({ queryKey: answersAbout('suppression') })
      notifications.show({ message: 'The tenant settings are saved.' })
      // It is saved. Where the session cannot be asked for now, it comes with the next page.
      await refreshSession(queryClient).catch(() => undefined)
    },
    onError: (error) => {
      if (isProblem(error, 'version_conflict')) void queryClient.invalidateQueries(tenantQuery)
    },
  })
  const about = (path: string) => messageAbout(save.error, path)
  const isBeside = ['name', 'timeZone', 'country', 'suppressionReviewMonths'].some((path) => about(path) !== undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    if (name.trim() === '') {
      setMissing(true)
      nameInput.current?.focus()
      return
    }
    if (term === undefined) {
      setNoTerm(true)
      monthsInput.current?.focus()
      return
    }
    if (isChanged) save.mutate()
  }

  return (
    <form onSubmit={submit} onKeyDown={submitOnModEnter} noValidate className={classes.form}>
      <Stack gap="md">
        <TextInput
          ref={nameInput}
          label="Name"
          maxLength={inputLimits.tenantName}
          description={draft.restored === null ? null : <DraftHint draft={draft.restored} />}
          value={name}
          readOnly={save.isPending}
          error={isMissing ? 'Enter a name.' : about('name')}
          onChange={(event) => {
            set({ name: event.currentTarget.value })
            setMissing(false)
          }}
        />
        <Select
          label="Time zone"
          description="Times are shown in it, and days in filters and reports begin and end by it."
          data={zonesWith(timeZone)}
          searchable
          limit={200}
          nothingFoundMessage="No zone of this name"
          value={timeZone}
          error={about('timeZone')}
          readOnly={save.isPending}
          onChange={(zone) => zone !== null && set({ timeZone: zone })}
        />
        <CountrySelect
          label="Country"
          description="Preset for phone numbers in local form. Stored numbers do not change."
          value={country}
          error={about('country')}
          readOnly={save.isPending}
          onChange={(code) => code !== null && set({ country: code })}
        />
        <TextInput
          ref={monthsInput}
          label="Term of suppression entries, in months"
          description="After it an entry is shown as to be looked at again. It stays in force until somebody removes it. Empty: no term."
          inputMode="numeric"
          maxLength={3}
          placeholder="No term"
          value={months}
          readOnly={save.isPending}
          error={
            isNoTerm
              ? `Write a whole number from 1 to ${inputLimits.reviewMonthCount}, or nothing.`
              : about('suppressionReviewMonths')
          }
          onChange={(event) => {
            set({ months: event.currentTarget.value })
            setNoTerm(false)
          }}
        />
        {save.isError && !isBeside && (
          <p role="alert" className="pp-refusal">
            {isProblem(save.error, 'version_conflict')
              ? `Someone else changed these settings first: the tenant is now called “${nameText(tenant.name)}”, in ${tenant.timeZone}, country ${countryName(tenant.country)}, term of suppression entries: ${termWords(tenant.suppressionReviewMonths).toLowerCase()}. What you chose is still here; save again to set it.`
              : sentenceOf(save.error)}
          </p>
        )}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() => {
                forget()
                save.reset()
              }}
            >
              Undo
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function monthsText({ suppressionReviewMonths }: Tenant): string {
  return suppressionReviewMonths === null ? '' : String(suppressionReviewMonths)
}

/** What was typed as a term: null for none, undefined where it is no term. */
function monthsFrom(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  const months = /^\d+$/.test(typed.trim()) ? Number(typed) : 0
  return months >= 1 && months <= inputLimits.reviewMonthCount ? months : undefined
}

function termWords(months: number | null): string {
  if (months === null) return 'None'
  return months === 1 ? '1 month' : `${months} months`
}
