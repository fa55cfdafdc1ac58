import { Checkbox, Radio, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { addSourceRecord, type Confidence, type CsvPreview, type CsvRow } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { CSV_SOURCE_ID } from '../../ui/prospects/built-in-sources.ts'
import { prospectSearchQuery } from '../../ui/prospects/prospect-search-queries.ts'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'
import { useRecordedRows } from '../../ui/prospects/recorded-rows.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './csv-preview.module.css'
import { cellsOf, type NamedFile, observationsOf, sourceOf } from './row-prefill.ts'
import { knownProspects } from './row-remarks.tsx'

const confidences: { value: Confidence; label: string }[] = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]

type Props = {
  preview: CsvPreview
  row: CsvRow
  file: NamedFile
  close: () => void
  /** Called after the cells were recorded. */
  recorded?: () => void
}
const MAX_CELLS = 20
type Choice = { id: string; name: string; city?: string | null; doNotContact: boolean }

/** Dialog that turns cells of one row into a source record of a prospect, and mapped cells into evidence. No cell is selected at first. */
export function RecordRowDialog({ preview, row, file, close, recorded }: Props) {
  const source = sourceOf(preview, row, file)
  const known: Choice[] = knownProspects(row).map(({ businessId, ...match }) => ({ id: businessId, ...match }))
  const [typed, setTyped] = useState('')
  const [searched] = useDebouncedValue(typed, 200)
  const found = useQuery(prospectSearchQuery(searched))
  const proposed = known[0]?.id ?? ''
  const cells = cellsOf(preview, row)
  const queryClient = useQueryClient()
  const { add } = useRecordedRows()
  const choices = [...known, ...(found.data ?? []).filter(({ id }) => known.every((one) => one.id !== id))]
  const columnsOf = (selected: string[]) => selected.map(Number)

  return (
    <FormDialog
      title={`Record row ${row.row} on a prospect`}
      submitLabel="Record cells"
      size="lg"
      what={`Record row ${row.row}`}
      isAction
      initial={{ prospectId: proposed, selected: [] as string[], confidence: 'low' as Confidence }}
      isDisabled={({ prospectId, selected }) => selected.length === 0 || choices.every(({ id }) => id !== prospectId)}
      send={({ prospectId, selected, confidence }, { key, at }) => {
        const columns = columnsOf(selected)
        const body = {
          sourceId: CSV_SOURCE_ID,
          attribution: source.label,
          capturedAt: at,
          csvRow: { previewId: preview.id, row: row.row, columns },
          observations: observationsOf(preview, row, columns).map((one) => ({ ...one, confidence })),
        }
        return dataOf(addSourceRecord({ path: { businessId: prospectId }, body, ...withKey(key) }))
      }}
      onSaved={(_answer, { prospectId }) => {
        add({ reference: source.reference, businessId: prospectId, isNew: false })
        void refreshRecord(queryClient, prospectId)
        const name = nameText(choices.find(({ id }) => id === prospectId)?.name ?? '')
        notifications.show({ message: `Row ${row.row} recorded on ${name}` })
        close()
        recorded?.()
      }}
      fieldOf={() => undefined}
      close={close}
    >
      {({ form, values, set }) => (
        <>
          <TextInput
            data-autofocus
            label="Find prospect"
            description="By name, trading name, registration number, email, phone or domain"
            value={typed}
            onChange={(event) => {
              const text = event.currentTarget.value
              setTyped(text)
              // Searching replaces the proposed prospect; clearing the search restores it.
              set({ prospectId: text.trim() === '' ? proposed : '' })
            }}
          />
          {found.isError && <p className="pp-refusal">{sentenceOf(found.error)}</p>}
          <div role="status">
            {found.data?.length === 0 && <p className="pp-quiet">No prospect matches.</p>}
            {found.data !== undefined && found.data.length > 0 && (
              <p className="pp-visually-hidden">{countWords(found.data.length, 'prospect', 'prospects')} found</p>
            )}
          </div>
          {choices.length > 0 && (
            <Radio.Group label="Prospect" className={classes.choices} {...form.getInputProps('prospectId')}>
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
            label="Cells to record"
            description="Select up to 20 cells. The other cells are not stored."
            value={values.selected}
            onChange={(selected) => selected.length <= MAX_CELLS && set({ selected })}
            className={classes.choices}
          >
            {cells.map(({ column, name, value, isCut }) => (
              <Checkbox
                key={column}
                value={String(column)}
                label={`${nameText(name)}: ${nameText(value)}${isCut ? ' (too long to record here)' : ''}`}
                disabled={isCut}
                mt={6}
              />
            ))}
          </Checkbox.Group>
          <p className="pp-quiet">Source: CSV file, {source.reference}</p>
          <p className={classes.label}>Confidence</p>
          <SegmentedControl aria-label="Confidence" data={confidences} {...form.getInputProps('confidence')} />
        </>
      )}
    </FormDialog>
  )
}
