import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { editTenant, type Locale, type Tenant } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { refreshSession, useCan } from '../../ui/api/session.ts'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { changedFields } from '../../ui/forms/changed-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { countryName } from '../../ui/text/countries.ts'
import { isLocale, localeOptions, localeWords } from '../../ui/text/locales.ts'
import { Name } from '../../ui/text/name.tsx'
import { isNumberValue, type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'
import { zonesWith } from '../../ui/text/zone-time.ts'
import { tenantQuery } from './accounts.queries.ts'
import classes from './profile.module.css'

export function TenantSettings() {
  const tenant = useQuery(tenantQuery)
  const canConfigure = useCan('tenant.configure')
  // Same height as the form, so that the page does not jump.
  if (tenant.isPending) return <LoadingLines lines={canConfigure ? 16 : 5} />
  if (!tenant.data) return <Failed error={tenant.error} retry={() => void tenant.refetch()} what="the workspace" />
  return canConfigure ? <TenantForm tenant={tenant.data} /> : <TenantFacts tenant={tenant.data} />
}

function TenantFacts({ tenant }: { tenant: Tenant }) {
  return (
    <div>
      <Facts className={classes.facts}>
        <Fact label="Name">
          <Name of={tenant.name} />
        </Fact>
        <Fact label="Time zone">{tenant.timeZone}</Fact>
        <Fact label="Country">{countryName(tenant.country)}</Fact>
        <Fact label="Date and number format">{localeWords(tenant.locale)}</Fact>
        <Fact label="Review entries of the do-not-contact list">{termWords(tenant.suppressionReviewMonths)}</Fact>
        <Fact label="Access tokens">{tokenWords(tenant.tokensAllowed)}</Fact>
      </Facts>
      <p className="pp-quiet">Only administrators can change these settings.</p>
    </div>
  )
}

/** Values of the workspace form. */
type Fields = { name: string; timeZone: string; country: string; locale: Locale; months: NumberValue; tokens: boolean }

/** Range of the review term; blank means never. */
const monthRange = { min: 1, max: inputLimits.reviewMonthCount }

const fieldsOf = (tenant: Tenant): Fields => ({
  name: tenant.name,
  timeZone: tenant.timeZone,
  country: tenant.country,
  locale: tenant.locale,
  months: tenant.suppressionReviewMonths ?? '',
  tokens: tenant.tokensAllowed,
})

const fieldNames: Partial<Record<string, string>> = { suppressionReviewMonths: 'months', tokensAllowed: 'tokens' }

function TenantForm({ tenant }: { tenant: Tenant }) {
  const queryClient = useQueryClient()
  const current = fieldsOf(tenant)
  const save = useSaveForm({
    initial: current,
    edits: {
      reload: () => queryClient.fetchQuery({ ...tenantQuery, staleTime: 0 }),
      labels: {
        name: 'Name',
        locale: 'Date and number format',
        months: 'Review entries of the do-not-contact list after (months)',
        tokens: 'Access tokens',
      },
      lines: {
        country: (country) => [countryName(country)],
        locale: (locale) => [localeWords(locale)],
        months: (months) => [months === '' ? 'Never' : String(months)],
        tokens: (tokens) => [tokenWords(tokens)],
      },
    },
    validate: ({ name, months }): FieldErrors => ({
      ...(name.trim() === '' && { name: 'Enter a name.' }),
      ...numberProblems({ months }, { months: { ...monthRange, isOptional: true } }),
    }),
    send: ({ name, timeZone, country, locale, months, tokens }) => {
      const standing = {
        name: tenant.name,
        timeZone: tenant.timeZone,
        country: tenant.country,
        locale: tenant.locale,
        tokensAllowed: tenant.tokensAllowed,
      }
      const term = numberOf(months)
      const body = {
        ...changedFields(standing, { name: name.trim(), timeZone, country, locale, tokensAllowed: tokens }),
        ...(term !== tenant.suppressionReviewMonths && { suppressionReviewMonths: term }),
      }
      return dataOf(editTenant({ body, ...ifMatch(tenant.version) }))
    },
    onSaved: async (saved) => {
      queryClient.setQueryData(tenantQuery.queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: answersAbout('suppression') })
      notifications.show({ message: 'Workspace settings saved' })
      // If the session cannot be read now, the next page load updates it.
      await refreshSession(queryClient).catch(() => undefined)
    },
    what: 'the workspace settings',
    fieldOf: (path) => fieldNames[path] ?? (path in current ? path : undefined),
    draft: { name: 'tenant-settings', guards: { months: isNumberValue } },
  })
  const { form, values, set, isSaving, isChanged } = save
  return (
    <SaveForm
      save={save}
      className={classes.form}
      actions={
        <Group gap="xs" mt="md">
          <Button type="submit" loading={isSaving} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button variant="default" disabled={isSaving} onClick={save.reset}>
              Undo
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          maxLength={inputLimits.tenantName}
          description={save.restored === null ? null : <DraftHint draft={save.restored} />}
          {...form.getInputProps('name')}
        />
        <Select
          label="Time zone"
          description="The app uses this zone for all times, and for the days of filters and reports."
          data={zonesWith(values.timeZone)}
          searchable
          limit={200}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps('timeZone')}
          onChange={(timeZone) => timeZone !== null && set({ timeZone })}
        />
        <CountrySelect
          label="Country"
          description="The app reads local phone numbers as numbers of this country. Stored numbers do not change."
          {...form.getInputProps('country')}
          value={values.country}
          onChange={(country) => country !== null && set({ country })}
        />
        <Select
          label="Date and number format"
          description="This format also decides the order of day and month in typed dates, such as 3/4."
          data={localeOptions()}
          searchable
          nothingFoundMessage="No such format"
          {...form.getInputProps('locale')}
          onChange={(locale) => locale !== null && isLocale(locale) && set({ locale })}
        />
        <NumberField
          label="Review entries of the do-not-contact list after (months)"
          description="Entries block until someone removes them, also after this time. Leave empty for no review."
          placeholder="Never"
          {...monthRange}
          {...form.getInputProps('months')}
        />
        <Checkbox
          label="Accept access tokens"
          description="Programs can act for members with access tokens. Without this, all tokens are refused, and none is created."
          {...form.getInputProps('tokens', { type: 'checkbox' })}
        />
      </Stack>
    </SaveForm>
  )
}

function termWords(months: number | null): string {
  if (months === null) return 'Never'
  return `After ${countWords(months, 'month', 'months')}`
}

function tokenWords(isAllowed: boolean): string {
  return isAllowed ? 'Accepted' : 'Refused'
}
