import { Autocomplete, Button, TextInput } from '@mantine/core'
import { createReport } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useSession } from '../../ui/api/session.ts'
import { choiceProps, Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useDebouncedAddress } from '../../ui/lists/use-address-later.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { tagsStartingWith } from '../../ui/prospects/tag-queries.ts'
import { timeExamples } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { provinces } from '../../ui/text/provinces.ts'
import { zonesWith } from '../../ui/text/zone-time.ts'
import { bodyOf, inputOf, missingIn, presetsFor, questionFrom, searchOf } from './report-question.ts'
import type { ReportQuestion } from './report-search.ts'
import classes from './reports.module.css'
import { reportsKey } from './reports.queries.ts'

const provinceOptions = provinces.map(({ code, name }) => ({ value: code, label: name }))
const addressDelayMs = 300

export function NewReportScreen() {
  const search = useSearch({ from: '/desk/reports/new' })
  const { tenant } = useSession()
  const navigate = useNavigate({ from: '/reports/new' })
  const queryClient = useQueryClient()
  const people = usePeopleOptions()
  const [initial] = useState(() => questionFrom(search, tenant.timeZone, serverNow().toISOString()))
  const write = useDebouncedAddress(
    (next: ReportQuestion) =>
      void navigate({ search: searchOf(next, tenant.timeZone), replace: true, resetScroll: false }),
    addressDelayMs,
  )
  const save = useSaveForm({
    initial,
    // The address stores the question instead of a draft.
    onChange: write,
    validate: (question): FieldErrors => missingIn(question),
    send: (question, { key }) => dataOf(createReport({ body: bodyOf(question), ...withKey(key) })),
    payloadOf: bodyOf,
    onSaved: (report, _question, { isMounted }) => {
      write.cancel()
      void queryClient.invalidateQueries({ queryKey: reportsKey })
      if (isMounted()) void navigate({ to: '/reports/$reportId', params: { reportId: report.id } })
    },
    what: 'Create report',
    isAction: true,
    fieldOf: inputOf,
  })
  const { form, values: question, set } = save
  const { data: tags } = useQuery(tagsStartingWith(question.tag.trim().slice(0, 50)))
  const text = (key: keyof ReportQuestion) => ({ autoComplete: 'off', ...form.getInputProps(key) })
  const presets = presetsFor(dayIn(serverNow().toISOString(), question.zone))

  return (
    <Page
      width="text"
      title="New report"
      lead="The address of this page includes your settings, so you can share it."
      back={<BackLink to="/reports">Reports</BackLink>}
    >
      <SaveForm
        save={save}
        className={classes.form}
        aria-label="New report"
        actions={
          <div>
            <Button type="submit" loading={save.isSaving}>
              Create report
            </Button>
          </div>
        }
      >
        <fieldset>
          <legend>Days</legend>
          <div className={classes.presets}>
            {presets.map(({ label, from, to }) => (
              <Button
                key={label}
                variant="default"
                aria-pressed={question.from === from && question.to === to}
                onClick={() => set({ from, to })}
              >
                {label}
              </Button>
            ))}
          </div>
          <div className={classes.fields}>
            <TypedTime of="day" direction="past" label="First day" required inputMode="numeric" {...text('from')} />
            <TypedTime
              of="day"
              direction="past"
              label="Last day, included"
              required
              inputMode="numeric"
              {...text('to')}
            />
            <Select
              label="Time zone"
              data={zonesWith(question.zone)}
              searchable
              limit={200}
              nothingFoundMessage="No such time zone"
              {...form.getInputProps('zone')}
              onChange={(zone) => zone !== null && set({ zone })}
            />
            <TypedTime
              direction="past"
              of="time"
              label="As of"
              placeholder="now"
              description={`The report counts only data recorded up to this time, for example ${timeExamples()}. Leave empty for now.`}
              {...text('asOf')}
            />
          </div>
        </fieldset>
        <fieldset>
          <legend>Businesses</legend>
          <div className={classes.fields}>
            <Select
              label="Province"
              placeholder="Any"
              data={provinceOptions}
              clearable
              {...choiceProps(form.getInputProps('province'))}
            />
            <Select
              label="Assignee"
              placeholder="Anyone"
              data={people}
              searchable
              clearable
              {...choiceProps(form.getInputProps('assignee'))}
            />
            <Autocomplete
              label="Tag"
              placeholder="Any"
              data={(tags?.items ?? []).map(({ tag }) => tag)}
              maxLength={inputLimits.tag}
              {...form.getInputProps('tag')}
            />
          </div>
          <p className={classes.hint}>
            Filters use the current values of the prospects, not the values at the “As of” time.
          </p>
        </fieldset>
        <TextInput
          label="Name"
          placeholder={`${question.from} to ${question.to}`}
          maxLength={inputLimits.reportName}
          {...text('name')}
        />
      </SaveForm>
    </Page>
  )
}
