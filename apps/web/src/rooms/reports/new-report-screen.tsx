import { Autocomplete, Button, TextInput } from '@mantine/core'
import { createReport } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoPermission } from '../../ui/layout/states.tsx'
import { useDebouncedAddress } from '../../ui/lists/use-address-later.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { tagsStartingWith } from '../../ui/prospects/tag-queries.ts'
import { dayIn } from '../../ui/text/format.ts'
import { provinces } from '../../ui/text/provinces.ts'
import { zonesWith } from '../../ui/text/zone-time.ts'
import {
  bodyOf,
  inputOf,
  missingIn,
  presetsFor,
  type QuestionErrors,
  questionFrom,
  searchOf,
} from './report-question.ts'
import { parseReportQuestion, type ReportQuestion } from './report-search.ts'
import classes from './reports.module.css'
import { reportsKey } from './reports.queries.ts'

export function NewReportScreen() {
  if (!useCan('reports.create')) return <NoPermission isPage to="make reports" />
  return <QuestionForm />
}

const provinceOptions = provinces.map(({ code, name }) => ({ value: code, label: name }))
const addressDelayMs = 300

function QuestionForm() {
  const search = useSearch({ from: '/desk/reports/new', select: parseReportQuestion, structuralSharing: true })
  const { tenant } = useSession()
  const navigate = useNavigate({ from: '/reports/new' })
  const queryClient = useQueryClient()
  const people = usePeopleOptions()
  const isHere = useIsMounted()
  const { keyFor, done } = useIdempotencyKey()
  const [question, setQuestion] = useState(() => questionFrom(search, tenant.timeZone, serverNow().toISOString()))
  const [errors, setErrors] = useState<QuestionErrors>({})
  const [refusals, setRefusals] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { data: tags } = useQuery(tagsStartingWith(question.tag.trim().slice(0, 50)))
  const write = useDebouncedAddress(
    (next: ReportQuestion) =>
      void navigate({ search: searchOf(next, tenant.timeZone), replace: true, resetScroll: false }),
    addressDelayMs,
  )

  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const set = (patch: Partial<ReportQuestion>) => {
    const next = { ...question, ...patch }
    setQuestion(next)
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([key]) => !(key in patch))))
    write(next)
  }
  const refuse = (next: QuestionErrors) => {
    setErrors(next)
    setRefusals((count) => count + 1)
  }
  const ask = useMutation({
    meta: { notDone: 'Make the report' },
    mutationFn: () => {
      const body = bodyOf(question)
      return dataOf(createReport({ body, ...withKey(keyFor(body)) }))
    },
    onSuccess: (report) => {
      done()
      write.cancel()
      void queryClient.invalidateQueries({ queryKey: reportsKey })
      if (isHere()) void navigate({ to: '/reports/$reportId', params: { reportId: report.id } })
    },
    onError: (error) => {
      if (!isProblem(error)) return
      const beside = error.errors.flatMap(({ path, message }) => {
        const input = inputOf(path)
        return input === undefined ? [] : [[input, message] as const]
      })
      refuse(Object.fromEntries(beside))
    },
  })
  const isBeside =
    isProblem(ask.error) && ask.error.errors.length > 0 && ask.error.errors.every(({ path }) => inputOf(path))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.isPending) return
    const missing = missingIn(question)
    if (Object.keys(missing).length > 0) return refuse(missing)
    setErrors({})
    ask.mutate()
  }
  const text = (key: keyof ReportQuestion) => ({
    value: question[key],
    error: errors[key],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [key]: event.currentTarget.value }),
  })
  const presets = presetsFor(dayIn(serverNow().toISOString(), question.zone))

  return (
    <Page
      width="text"
      title="New report"
      lead="The address of this page holds the question, so it can be shared before it is asked."
      back={<BackLink to="/reports">Reports</BackLink>}
    >
      <form
        ref={form}
        onSubmit={submit}
        noValidate
        className={classes.form}
        aria-label="New report"
        onKeyDown={submitOnModEnter}
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
            <TypedTime of="day" label="First day" required inputMode="numeric" {...text('from')} />
            <TypedTime of="day" label="Last day, included" required inputMode="numeric" {...text('to')} />
            <Select
              label="Time zone"
              data={zonesWith(question.zone)}
              searchable
              limit={200}
              nothingFoundMessage="No zone of this name"
              value={question.zone}
              error={errors.zone}
              onChange={(zone) => zone !== null && set({ zone })}
            />
            <TypedTime
              of="time"
              label="As of"
              placeholder="now"
              description="What was known then, such as 2026-11-21 10:00. Blank: now."
              {...text('asOf')}
            />
          </div>
        </fieldset>
        <fieldset>
          <legend>Which businesses</legend>
          <div className={classes.fields}>
            <Select
              label="Province"
              placeholder="Any"
              data={provinceOptions}
              clearable
              value={question.province === '' ? null : question.province}
              error={errors.province}
              onChange={(province) => set({ province: province ?? '' })}
            />
            <Select
              label="Assignee"
              placeholder="Anybody"
              data={people}
              searchable
              clearable
              value={question.assignee === '' ? null : question.assignee}
              error={errors.assignee}
              onChange={(assignee) => set({ assignee: assignee ?? '' })}
            />
            <Autocomplete
              label="Tag"
              placeholder="Any"
              data={(tags?.items ?? []).map(({ tag }) => tag)}
              maxLength={inputLimits.tag}
              value={question.tag}
              error={errors.tag}
              onChange={(tag) => set({ tag })}
            />
          </div>
          <p className={classes.hint}>
            These are read from the records as they stand when the report is made, whatever time it is as of.
          </p>
        </fieldset>
        <TextInput
          label="Name"
          placeholder={`${question.from} to ${question.to}`}
          maxLength={inputLimits.reportName}
          {...text('name')}
        />
        {ask.isError && !isBeside && (
          <p role="alert" className="pp-refusal">
            {sentenceOf(ask.error)}
          </p>
        )}
        <div>
          <Button type="submit" loading={ask.isPending}>
            Make the report
          </Button>
        </div>
      </form>
    </Page>
  )
}
