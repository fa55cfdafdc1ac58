import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SuppressionBatch, SuppressionBatchLine, SuppressionPreviewLine } from '@prospect/api-client'
import { addSuppressionBatch, previewSuppressionBatch } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { errorsOfUnchangedFields, formErrors, nameInWords } from '../../ui/forms/form-errors.ts'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { isModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useDraft } from '../../ui/forms/use-draft.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoPermission } from '../../ui/layout/states.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import {
  emptyProvenance,
  isBlankProvenance,
  isProvenanceField,
  missingProvenance,
  ProvenanceFields,
  provenanceOf,
  type TypedProvenance,
} from './provenance-fields.tsx'
import classes from './suppression.module.css'
import { type Pasted, type Provenance, refreshAll } from './suppression.queries.ts'
import { countWords, kindWords } from './suppression-words.ts'

/** Many at once: first what each line would do, then, with one provenance for all, what each line did. */
export function PasteScreen() {
  if (!useCan('suppression.add')) return <NoPermission isPage to="suppress anybody" />
  return (
    <Page
      width="text"
      title="Paste many entries"
      tab="Paste entries"
      back={<BackLink to="/suppression">Suppression</BackLink>}
    >
      <Paste />
    </Page>
  )
}

type Typed = { text: string; region: string | null; withSubdomains: boolean } & TypedProvenance
const empty = { text: '', withSubdomains: false, ...emptyProvenance }

function Paste() {
  const queryClient = useQueryClient()
  const blank: Typed = { ...empty, region: useSession().tenant.country }
  const draft = useDraft<Typed>('suppression-paste', (kept) => (isTyped(kept) ? { ...blank, ...kept } : null), {
    gone: () => {
      change(blank)
      setRefusal(null)
    },
  })
  const [typed, setTyped] = useState(draft.restored?.value ?? blank)
  const { text } = typed
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const provenance = useRef<HTMLDivElement>(null)
  const isHere = useIsMounted()
  const pasted = pastedOf(typed)
  const tooMany = pasted.lines.length > inputLimits.pastedLineCount

  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (refusals > 0) provenance.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  const refuse = (fields: Record<string, string>) => {
    setErrors(fields)
    setRefusals((count) => count + 1)
  }
  const preview = useMutation({
    meta: { isTold: true },
    mutationFn: (body: Pasted) => dataOf(previewSuppressionBatch({ body })),
    onError: () => input.current?.focus(),
  })
  const add = useMutation({
    meta: { notSaved: 'the lines that you pasted' },
    mutationFn: (channel: Provenance['channel']) =>
      dataOf(addSuppressionBatch({ body: { ...pasted, ...provenanceOf(typed), channel }, ...withKey(newKey()) })),
    onSuccess: ({ added }) => {
      draft.clear()
      if (!isHere())
        notifications.show({ message: `${countWords(added, 'entry is', 'entries are')} added from what you pasted.` })
      void refreshAll(queryClient)
    },
    onError: (error) => {
      if (!isProblem(error)) return setRefusal(sentenceOf(error))
      const { fields, general } = formErrors(error, isProvenanceField, lineName)
      refuse(fields)
      setRefusal(general.length === 0 ? null : general.join(' '))
    },
  })
  const set = (part: Partial<Typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    setErrors(errorsOfUnchangedFields(errors, typed, next))
    if (next.text.trim() === '' && isBlankProvenance(next)) draft.clear()
    else draft.keep(next)
  }
  // What was shown no longer stands for what would be sent.
  const change = (part: Partial<Typed>) => {
    if (add.isPending) return
    set(part)
    preview.reset()
    add.reset()
  }
  const start = () => {
    if (add.isPending) return
    setRefusal(null)
    const missing = missingProvenance(typed)
    refuse(missing)
    if (typed.channel !== null && Object.keys(missing).length === 0) add.mutate(typed.channel)
  }
  const canLook = text.trim() !== '' && !tooMany
  const wanted = preview.data?.items.filter(({ outcome }) => outcome === 'would_add').length ?? 0

  // By its key one element all along: only what comes into an element that is there is announced.
  const outcome = (
    <p key="outcome" role="status" className={classes.outcome}>
      {add.data ? doneWords(add.data) : preview.data && previewWords(preview.data.items)}
    </p>
  )

  if (add.data !== undefined) {
    return (
      <>
        {outcome}
        <LineTable lines={add.data.items} />
        <Group mt="md">
          <Button variant="default" onClick={() => change(blank)}>
            Paste more
          </Button>
        </Group>
      </>
    )
  }
  return (
    <>
      <p className={classes.lead}>
        One address, number or domain a line, at most {formatNumber(inputLimits.pastedLineCount)}. Nothing is stored
        before you have seen what each line would do.
      </p>
      <Textarea
        ref={input}
        label="Lines"
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        description={draft.restored === null ? null : <DraftHint draft={draft.restored} />}
        value={text}
        readOnly={add.isPending}
        error={
          tooMany
            ? `These are ${formatNumber(pasted.lines.length)} lines. Paste them in parts.`
            : lineError(preview.error)
        }
        onChange={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (!isModEnter(event)) return
          event.preventDefault()
          if (canLook && !preview.isPending) preview.mutate(pasted)
        }}
      />
      <Group gap="lg" my="sm" align="flex-end">
        <CountrySelect
          label="Country of numbers in local form"
          placeholder="Not said"
          clearable
          value={typed.region}
          readOnly={add.isPending}
          onChange={(region) => change({ region })}
        />
        <Checkbox
          label="Domains with every domain below them"
          checked={typed.withSubdomains}
          onChange={(event) => change({ withSubdomains: event.currentTarget.checked })}
        />
      </Group>
      <Button variant="default" loading={preview.isPending} disabled={!canLook} onClick={() => preview.mutate(pasted)}>
        Show what would happen
      </Button>
      {outcome}
      {preview.data !== undefined && (
        <>
          <h2 className={classes.part}>What would happen</h2>
          <LineTable lines={preview.data.items} />
          {wanted > 0 && (
            <div ref={provenance} className={classes.narrow}>
              <h2 className={classes.part}>For all of them</h2>
              <ProvenanceFields value={typed} errors={errors} isHeld={add.isPending} onChange={set} />
              {refusal !== null && (
                <p role="alert" className="pp-refusal">
                  {refusal}
                </p>
              )}
              <Button mt="md" color="red" loading={add.isPending} onClick={start}>
                Suppress {countWords(wanted, 'line', 'lines')}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  )
}

function doneWords({ added, marked }: SuppressionBatch): string {
  return `${countWords(added, 'entry was', 'entries were')} added; ${countWords(marked, 'mark was', 'marks were')} set on records.`
}

const previewOutcomes: [SuppressionPreviewLine['outcome'], string][] = [
  ['would_add', 'would be added'],
  ['stands_already', 'already there'],
  ['repeated', 'repeated'],
  ['refused', 'refused'],
]

/** "2 lines: 1 would be added, 1 refused." */
function previewWords(lines: readonly SuppressionPreviewLine[]): string {
  const counts = previewOutcomes.flatMap(([outcome, words]) => {
    const count = lines.filter((line) => line.outcome === outcome).length
    return count === 0 ? [] : [{ count, words: `${formatNumber(count)} ${words}` }]
  })
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return `${countWords(all, 'line', 'lines')}: ${counts.map(({ words }) => words).join(', ')}.`
}

const outcomeWords: Record<SuppressionPreviewLine['outcome'] | SuppressionBatchLine['outcome'], string> = {
  would_add: 'Would be added',
  stands_already: 'Stands already',
  added: 'Added',
  stood_already: 'Stood already; asked for again',
  repeated: 'Repeated',
  refused: 'Refused',
  empty: 'Empty',
}

function LineTable({ lines }: { lines: readonly (SuppressionPreviewLine | SuppressionBatchLine)[] }) {
  return (
    <table className={classes.table} aria-label="Lines">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">As pasted</th>
          <th scope="col">Read as</th>
          <th scope="col">Outcome</th>
          <th scope="col">Records</th>
        </tr>
      </thead>
      <tbody>
        {lines
          .filter(({ outcome }) => outcome !== 'empty')
          .map((line) => (
            <tr key={line.line} data-refused={line.outcome === 'refused' || undefined}>
              <td className={classes.number}>{line.line}</td>
              <td className={classes.value}>
                <Name of={line.text} />
              </td>
              <td>
                {line.kind !== null && line.outcome !== 'refused' && (
                  <>
                    {kindWords[line.kind]}
                    <span className={classes.soft}>{line.normalized}</span>
                  </>
                )}
              </td>
              <td>
                {'suppressionId' in line && line.suppressionId !== null ? (
                  <Link to="/suppression/$suppressionId" params={{ suppressionId: line.suppressionId }}>
                    {outcomeWords[line.outcome]}
                  </Link>
                ) : (
                  outcomeWords[line.outcome]
                )}
                {line.message !== null && <span className={classes.soft}>{line.message}</span>}
              </td>
              <td className={classes.number}>{recordsOf(line)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function recordsOf(line: SuppressionPreviewLine | SuppressionBatchLine): string {
  const records = 'records' in line ? line.records : line.marked
  if (records === null) return ''
  return records >= 1_000 && 'records' in line ? '1,000 or more' : formatNumber(records)
}

function pastedOf({ text, region, withSubdomains }: Typed): Pasted {
  return {
    lines: text.replace(/\s+$/, '').split(/\r?\n/),
    region,
    domainScope: withSubdomains ? 'with_subdomains' : 'exact',
  }
}

function isTyped(kept: unknown): kept is Partial<Typed> {
  return typeof kept === 'object' && kept !== null && 'text' in kept && typeof kept.text === 'string'
}

function lineError(error: unknown): string | null {
  if (error === null) return null
  return isProblem(error) ? formErrors(error, () => false, lineName).general.join(' ') : sentenceOf(error)
}

/** By the number that a person counts: the server names a line by its place in what was sent, from 0. */
function lineName(path: string): string {
  const [list, place] = path.split('.')
  return list === 'lines' && place !== undefined ? `Line ${formatNumber(Number(place) + 1)}` : nameInWords(path)
}
