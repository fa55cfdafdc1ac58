/** The open page of a record, for the parts that rooms add to it. */

import { createContext, useContext } from 'react'
import type { RecordForm, RecordPage } from './record-parts.ts'

type FormStates = {
  page: RecordPage
  starts: ReadonlyMap<string, unknown>
  setStart: (form: string, start: unknown) => void
}

export const RecordPageContext = createContext<FormStates | null>(null)

function useFormStates(): FormStates {
  const states = useContext(RecordPageContext)
  if (states === null) throw new Error('Only inside the page of a record.')
  return states
}

export const useRecordPage = (): RecordPage => useFormStates().page

/** Returns the start value of a form (undefined while it is closed) and a function that opens or closes it. */
export function useRecordForm<Start>(form: RecordForm<Start>): [Start | undefined, (start: Start | undefined) => void] {
  const { starts, setStart } = useFormStates()
  // The map holds forms of all types; `openForm` and `setStart` guarantee that the start matches the form.
  return [starts.get(form.id) as Start | undefined, (start) => setStart(form.id, start)]
}
