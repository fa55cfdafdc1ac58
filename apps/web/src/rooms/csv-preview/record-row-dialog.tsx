import { Button, Checkbox, Radio, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { addSourceRecord, type Confidence, type CsvPreview, type CsvRow } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { submitOnModEnter } from '../../ui/forms/submit-on-mod-enter.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { CSV_SOURCE_ID } from '../../ui/prospects/built-in-sources.ts'
import { prospectSearchQuery } from '../../ui/prospects/prospect-search-queries.ts'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'
import { useRecordedRows } from '../../ui/prospects/recorded-rows.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './csv-preview.module.css'
import { cellsOf, observationsOf, sourceOf } from './row-prefill.ts'

const confidences: { value: Confidence; label: string }[] = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]

type Props = { preview: CsvPreview; row: CsvRow; fileName: string; close: () => void }
const MAX_CELLS = 20
const attributionOf = (fileName: string) => `CSV file ${fileName.replace(/\s+/g, ' ')}`.slice(0, 200)
type Choice = { id: string; name: string; city?: string | null; doNotContact: boolean }

/** Cells of one row become a source record of one prospect, and those that are fields its evidence. No cell is selected at first. */
export function RecordRowDialog({ preview, row, fileName, close }: Props) {
  const source = sourceOf(preview, row, fileName)
  const matches = [...new Map(row.matches.map((match) => [match.businessId, match])).values()]
  const known: Choice[] = matches.map(({ businessId, ...match }) => ({ id: businessId, ...match }))
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, 200)
  const found = useQuery(prospectSearchQuery(searched))
  const proposed = known[0]?.id ?? null
  const [chosen, setChosen] = useState(proposed)
  const cells = cellsOf(preview, row)
  const [selected, setSelected] = useState<string[]>([])
  const columns = selected.map(Number)
  const [confidence, setConfidence] = useState<Confidence>('low')
  const { attemptFor, done } = useIdempotencyKey()
  const queryClient = useQueryClient()
  const { add } = useRecordedRows()
  const choices = [...known, ...(found.data ?? []).filter(({ id }) => known.every((one) => one.id !== id))]
  const target = choices.find(({ id }) => id === chosen)

  const save = useMutation({
    meta: { notDone: `Record row ${row.row}` },
    mutationFn: async (to: Choice) => {
      const { key, at } = attemptFor({ to: to.id, source, confidence, columns })
      const body = {
        sourceId: CSV_SOURCE_ID,
        attribution: attributionOf(fileName),
        capturedAt: at,
        csvRow: { previewId: preview.id, row: row.row, columns },
        observations: observationsOf(preview, row, columns).map((one) => ({ ...one, confidence })),
      }
      await dataOf(addSourceRecord({ path: { businessId: to.id }, body, ...withKey(key) }))
      return to
    },
    onSuccess: (to) => {
      done()
      add({ reference: source.reference, businessId: to.id, isNew: false })
      void refreshRecord(queryClient, to.id)
      notifications.show({ message: `Row ${row.row} is recorded on ${nameText(to.name)}.` })
      close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (target !== undefined && columns.length > 0 && !save.isPending) save.mutate(target)
  }

  return (
    <Dialog onClose={close} title={`Record row ${row.row} on a prospect`} size="lg">
      <form onSubmit={submit} onKeyDown={submitOnModEnter}>
        <TextInput
          data-autofocus
          label="Find the prospect"
          description="By name, trading name, registration number, e-mail, phone or domain"
          value={typed}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            // Whoever looks for another prospect does not mean the one that was proposed.
            setChosen(text.trim() === '' ? proposed : null)
          }}
        />
        {found.isError && <p className="pp-refusal">{sentenceOf(found.error)}</p>}
        <div role="status">
          {found.data?.length === 0 && <p className="pp-quiet">No prospect matches.</p>}
          {found.data !== undefined && found.data.length > 0 && (
            <p className="pp-visually-hidden">
              {found.data.length === 1 ? 'One prospect found' : `${formatNumber(found.data.length)} prospects found`}
            </p>
          )}
        </div>
        {choices.length > 0 && (
          <Radio.Group label="Prospect" value={chosen} onChange={setChosen} className={classes.choices}>
            {choices.map(({ id, name, city, doNotContact }) => (
              <Radio
                key={id}
                value={id}
                label={[nameText(name), nameText(city ?? ''), doNotContact ? 'Do not contact' : '']
                  .filter(Boolean)
                  .join(' · ')}
                mt="xs"
              />
            ))}
          </Radio.Group>
        )}
        <Checkbox.Group
          label="What is recorded"
          description="Select the cells that are needed, at most 20. Of the others nothing is stored."
          value={selected}
          onChange={(next) => next.length <= MAX_CELLS && setSelected(next)}
          className={classes.choices}
        >
          {cells.map(({ column, name, value, isCut }) => (
            <Checkbox
              key={column}
              value={String(column)}
              label={`${nameText(name)}: ${nameText(value)}${isCut ? ' (longer than is shown: record it by hand)' : ''}`}
              disabled={isCut}
              mt={6}
            />
          ))}
        </Checkbox.Group>
        <p className="pp-quiet">Source: CSV file, {source.reference}</p>
        <p className={classes.label}>Your confidence</p>
        <SegmentedControl
          aria-label="Your confidence"
          data={confidences}
          value={confidence}
          onChange={(value) => setConfidence(confidences.find((one) => one.value === value)?.value ?? 'low')}
        />
        {save.isError && (
          <p role="alert" className="pp-refusal">
            {sentenceOf(save.error)}
          </p>
        )}
        <div className={classes.dialogActions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={target === undefined || columns.length === 0}>
            Record these cells
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
