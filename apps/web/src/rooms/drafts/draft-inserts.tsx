import type { Business } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Select } from '../../ui/fields/select.tsx'
import type { SaveForm } from '../../ui/forms/use-save-form.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { channelOf, type DraftValues, insertPiece, mergeFieldName, mergeFieldNames } from './draft-values.ts'
import classes from './drafts.module.css'
import { evidenceToCite, templatesQuery } from './drafts.queries.ts'
import { evidenceOptions } from './evidence-options.ts'

type Props = {
  business: Business
  save: SaveForm<DraftValues>
  /** Caret position in the text; null if the text never had the focus. */
  caret: RefObject<number | null>
}

/** Menu that inserts a merge field, or an observation with its marker, at the caret, or fills an empty text from a template. */
export function DraftInserts({ business, save, caret }: Props) {
  const { values, set } = save
  const evidence = useQuery(evidenceToCite(business.id))
  const templates = useQuery(templatesQuery)
  const insert = (piece: string, more: Partial<DraftValues> = {}) => {
    const inserted = insertPiece(values.text, piece, caret.current)
    caret.current = inserted.caret
    set({ ...more, text: inserted.text })
  }
  const cite = (evidenceId: string) => {
    const marker = Math.max(0, ...values.citations.map((one) => one.marker)) + 1
    insert(`[^${marker}]`, { citations: [...values.citations, { marker, evidenceId }] })
  }
  const use = (id: string) => {
    const template = templates.data?.items.find((one) => one.id === id)
    if (template === undefined) return
    const { channel, purpose, language, subject, text } = template
    caret.current = null
    set({ ...channelOf(business, channel, values), purpose, language, subject: subject ?? '', text })
  }
  return (
    <div className={classes.actions}>
      <Select
        label="Insert a field"
        placeholder="Choose"
        data={mergeFieldNames.map((name) => ({ value: name, label: mergeFieldName(name) }))}
        value={null}
        onChange={(field) => field !== null && insert(`{{${field}}}`)}
      />
      <Select
        label="Cite evidence"
        placeholder="Choose"
        data={evidenceOptions(evidence.data?.items ?? [])}
        value={null}
        onChange={(id) => id !== null && cite(id)}
      />
      {(templates.data?.items.length ?? 0) > 0 && values.text === '' && (
        <Select
          label="Start with a template"
          placeholder="Choose"
          data={templates.data?.items.map(({ id, name }) => ({ value: id, label: nameText(name) })) ?? []}
          value={null}
          onChange={(id) => id !== null && use(id)}
        />
      )}
    </div>
  )
}
