import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SuppressionBatch, SuppressionPreview, SuppressionPreviewLine } from '@prospect/api-client'
import { addSuppressionBatch, previewSuppressionBatch } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { newKey } from '../../ui/api/idempotency.ts'
import { useSession } from '../../ui/api/session.ts'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { isSame } from '../../ui/forms/changed-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { formErrors, nameInWords } from '../../ui/forms/form-errors.ts'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { NotSaved, refusedWith } from '../../ui/forms/save-failure.tsx'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { isModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useSaveForm } from '../../ui/forms/use-save-form.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { StickyFooter } from '../../ui/layout/sticky.tsx'
import { MOST_PASTED_LINES } from '../../ui/prospects/pasted-lines.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { LineTable, MAX_COUNTED } from './line-table.tsx'
import { addParts, type PastedResult, previewParts } from './paste-parts.ts'
import {
  emptyProvenance,
  isBlankProvenance,
  isProvenanceField,
  missingProvenance,
  ProvenanceFields,
  provenanceGuards,
  provenanceOf,
  type TypedProvenance,
} from './provenance-fields.tsx'
import classes from './suppression.module.css'
import { type Pasted, refreshAll } from './suppression.queries.ts'

/** Screen to paste many entries: a preview of each line first, then one provenance for all and the result of each line. */
export function PasteScreen() {
  return (
    <Page
      width="text"
      title="Paste many entries"
      tab="Paste entries"
      back={<BackLink to="/suppression">Do-not-contact list</BackLink>}
    >
      <Paste />
    </Page>
  )
}

type Typed = {
  text: string
  region: string | null
  withSubdomains: boolean
  acceptUnknownSuffix: boolean
} & TypedProvenance
const empty = { text: '', withSubdomains: false, acceptUnknownSuffix: false, ...emptyProvenance }

function Paste() {
  const queryClient = useQueryClient()
  const passed = useLocation({ select: ({ state }) => state.pastedLines ?? null })
  const blank: Typed = { ...empty, region: useSession().tenant.country }
  const [batch, setBatch] = useState<PastedResult | null>(null)
  const { before, setBefore, lineName } = usePart()
  const input = useRef<HTMLTextAreaElement>(null)
  const preview = useMutation({
    meta: { isTold: true },
    mutationFn: ({ lines, ...more }: Pasted) => {
      const ofPart = (part: string[]) => dataOf(previewSuppressionBatch({ body: { ...more, lines: part } }))
      return previewParts(lines, ofPart, setBefore)
    },
    onError: () => input.current?.focus(),
  })
  /** Added parts of a preview. A retry continues after them. */
  const added = useRef<AddedParts>({ of: null, parts: new Map() })
  const save = useSaveForm({
    initial: blank,
    validate: missingProvenance,
    send: (values) => {
      const { lines, ...more } = pastedOf(values)
      const { data } = preview
      if (data === undefined || !isSame(preview.variables, pastedOf(values)))
        throw new Error('Entries are added only after a preview of the same lines.')
      if (added.current.of !== data) added.current = { of: data, parts: new Map() }
      const ofPart = (part: string[]) => {
        const body = { ...more, lines: part, ...provenanceOf(values) }
        // A colleague can remove entries, so a retry adds them again instead of returning the stored answer.
        return dataOf(addSuppressionBatch({ body, ...withKey(newKey()) }))
      }
      return addParts({ lines, preview: data, finished: added.current.parts }, ofPart, setBefore)
    },
    onSaved: (answer, _values, { isMounted }) => {
      setBatch(answer)
      const added = countWords(answer.added, 'entry was', 'entries were')
      if (!isMounted()) notifications.show({ message: `${added} added from the pasted lines.` })
      void refreshAll(queryClient)
    },
    what: 'the pasted lines',
    explain: (error) => {
      // The parts before a failure are added and may have blocked prospects.
      if (added.current.parts.size > 0) void refreshAll(queryClient)
      if (!isProblem(error) || error.errors.length === 0) return undefined
      const { fields, general } = formErrors(error, isProvenanceField, lineName)
      return { fields, failure: general.length === 0 ? null : refusedWith(general.join(' ')) }
    },
    draft: {
      name: 'suppression-paste',
      guards: { region: (stored) => stored === null || typeof stored === 'string', ...provenanceGuards },
      isBlank: (values) => values.text.trim() === '' && isBlankProvenance(values),
    },
  })
  const { form, values, isSaving } = save
  const navigate = useNavigate()
  const isTaken = useRef(false)
  // The passed lines count as typed text, so that they are added to an older draft. Their history state is cleared, so that they are added once.
  const takePassed = useEffectEvent(() => {
    if (passed === null || isTaken.current) return
    isTaken.current = true
    const text = form.getValues().text.trimEnd()
    save.set({ text: text === '' ? passed.text : `${text}\n${passed.text}`, region: passed.region })
    void navigate({ to: '.', replace: true, resetScroll: false, state: {} })
  })
  useEffect(() => takePassed(), [])
  const pasted = pastedOf(values)
  const tooMany = pasted.lines.length > MOST_PASTED_LINES
  const canLook = values.text.trim() !== '' && !tooMany
  // Ignore a preview of text that has changed since.
  const currentPreview = isSame(preview.variables, pasted) ? preview : undefined
  const hasUnknownEnding = currentPreview?.data?.items.some(({ code }) => code === 'unknown_suffix') === true
  const wanted = currentPreview?.data?.items.filter(({ outcome }) => outcome === 'would_add').length ?? 0
  const inParts = pasted.lines.length > inputLimits.pastedLineCount
  const isSending = inParts && (preview.isPending || isSaving)
  /** Entries that were added before a failure of the same preview. */
  const addedBefore = added.current.of === currentPreview?.data ? sumOfAdded(added.current.parts) : 0
  const stateWords = () => {
    if (isSending) return sendingWords(preview.isPending ? 'Reading' : 'Adding', before, pasted.lines.length)
    if (batch !== null) return doneWords(batch)
    if (addedBefore > 0)
      return `${countWords(addedBefore, 'entry was', 'entries were')} added before the failure. Add the rest to continue.`
    return currentPreview?.data && previewWords(currentPreview.data, inParts)
  }
  const footer = (
    <StickyFooter summary={stateWords()} failure={<NotSaved failure={save.failure} />}>
      {batch === null ? (
        <>
          {/* Its place does not change when the other button appears, so that a second click does not add the entries. */}
          <Button
            variant="default"
            loading={preview.isPending}
            disabled={!canLook || isSaving}
            onClick={() => preview.mutate(pasted)}
          >
            Preview
          </Button>
          {wanted > 0 && (
            <Button type="submit" color="red" loading={isSaving}>
              Add {countWords(wanted - addedBefore, 'entry', 'entries')}
            </Button>
          )}
        </>
      ) : (
        <Button
          variant="default"
          onClick={() => {
            setBatch(null)
            preview.reset()
            save.reset()
          }}
        >
          Paste more
        </Button>
      )}
    </StickyFooter>
  )

  return (
    <SaveForm save={save} failure={null} actions={footer}>
      {batch === null && (
        <>
          <p className={classes.lead}>
            One address, number or domain per line, at most {formatNumber(MOST_PASTED_LINES)}. You can paste rows of a
            spreadsheet. Other text on a line is ignored. Nothing is stored until you have checked each line.
          </p>
          <Textarea
            ref={input}
            label="Lines"
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            description={save.restored === null ? null : <DraftHint draft={save.restored} />}
            {...form.getInputProps('text')}
            error={
              tooMany
                ? `These are ${countWords(pasted.lines.length, 'line', 'lines')}. Paste fewer lines at a time.`
                : lineError(currentPreview?.error ?? null, lineName)
            }
            onKeyDown={(event) => {
              if (!isModEnter(event)) return
              event.preventDefault()
              event.stopPropagation()
              if (canLook && !preview.isPending) preview.mutate(pasted)
            }}
          />
          <Group gap="lg" my="sm" align="flex-end">
            <CountrySelect
              label="Country of local numbers"
              placeholder="Not set"
              clearable
              {...form.getInputProps('region')}
              value={values.region}
            />
            <Checkbox label="Include subdomains" {...form.getInputProps('withSubdomains', { type: 'checkbox' })} />
            {(hasUnknownEnding || values.acceptUnknownSuffix) && (
              <Checkbox
                label="Unknown domain endings are correct"
                {...form.getInputProps('acceptUnknownSuffix', { type: 'checkbox' })}
              />
            )}
          </Group>
        </>
      )}
      {batch !== null && <LineTable lines={batch.items} />}
      {batch === null && currentPreview?.data !== undefined && (
        <div className={classes.preview}>
          <div>
            <h2 className={classes.part}>Preview</h2>
            <LineTable lines={currentPreview.data.items} />
          </div>
          {wanted > 0 && (
            <div className={classes.provenance}>
              <h2 className={classes.part}>For all entries</h2>
              <ProvenanceFields form={form} />
            </div>
          )}
        </div>
      )}
    </SaveForm>
  )
}

/** Added parts of a preview. */
type AddedParts = { of: SuppressionPreview | null; parts: Map<number, SuppressionBatch> }

/** The part that is sent, or that failed: the number of lines before it. `lineName` names a line of that part for users. */
function usePart() {
  const [before, setShown] = useState(0)
  const now = useRef(0)
  return {
    before,
    setBefore: (lines: number) => {
      now.current = lines
      setShown(lines)
    },
    /** The path of the API contains the index within the part, from 0. */
    lineName: (path: string) => {
      const [list, place] = path.split('.')
      const isLine = list === 'lines' && place !== undefined
      return isLine ? `Line ${formatNumber(now.current + Number(place) + 1)}` : nameInWords(path)
    },
  }
}

/** Formats as "Adding lines 2,001 to 3,000 of 4,200…". */
function sendingWords(verb: string, before: number, all: number): string {
  const last = Math.min(all, before + inputLimits.pastedLineCount)
  return `${verb} lines ${formatNumber(before + 1)} to ${formatNumber(last)} of ${formatNumber(all)}…`
}

const sumOfAdded = (parts: ReadonlyMap<number, SuppressionBatch>) =>
  [...parts.values()].reduce((sum, { added }) => sum + added, 0)

function doneWords({ added, marked }: PastedResult): string {
  return `${countWords(added, 'entry', 'entries')} added. ${countWords(marked, 'prospect is', 'prospects are')} now marked do not contact.`
}

const previewOutcomes: [SuppressionPreviewLine['outcome'], string][] = [
  ['would_add', 'to add'],
  ['stands_already', 'already on the list'],
  ['repeated', 'repeated'],
  ['refused', 'refused'],
]

/** Formats as "2 lines: 1 to add, 1 refused. Blocks 3 prospects." */
function previewWords(preview: SuppressionPreview, inParts: boolean): string {
  const lines = preview.items
  const counts = previewOutcomes.flatMap(([outcome, words]) => {
    const count = lines.filter((line) => line.outcome === outcome).length
    return count === 0 ? [] : [{ count, words: `${formatNumber(count)} ${words}` }]
  })
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const effect = lines.some(({ outcome }) => outcome === 'would_add') ? ` ${effectWords(preview, inParts)}` : ''
  return `${countWords(all, 'line', 'lines')}: ${counts.map(({ words }) => words).join(', ')}.${effect}`
}

/** Formats as "Blocks 2 prospects." Prospects marked do not contact already do not count. */
function effectWords({ records }: SuppressionPreview, inParts: boolean): string {
  if (records === 0) return 'These lines block no prospect now.'
  // A prospect with values in several parts is counted once in each.
  if (inParts) return `Blocks at most ${countWords(records, 'prospect', 'prospects')}.`
  const many =
    records >= MAX_COUNTED
      ? `${formatNumber(MAX_COUNTED)} or more prospects`
      : countWords(records, 'prospect', 'prospects')
  return `These lines block ${many}.`
}

function pastedOf({ text, region, withSubdomains, acceptUnknownSuffix }: Typed): Pasted {
  return {
    // Word processors and spreadsheets also end lines with these characters.
    lines: text.replace(/\s+$/, '').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/),
    region,
    domainScope: withSubdomains ? 'with_subdomains' : 'exact',
    acceptUnknownSuffix,
  }
}

function lineError(error: unknown, lineName: (path: string) => string): string | null {
  if (error === null) return null
  return isProblem(error) ? formErrors(error, () => false, lineName).general.join(' ') : sentenceOf(error)
}
