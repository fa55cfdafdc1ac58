/** The open page of a record, as the parts of rooms see it. */
import { createContext, useContext } from 'react'

/** A form on a tab of the record. It stays open with its start while the person looks at other tabs. `Start`: what it opens with. */
export type RecordForm<Start> = { id: string; tab: string; readonly start?: Start }

export type RecordPage = {
  openTab: (id: string) => void
  /** Opens a form on its tab and moves the focus into it. */
  openForm: <Start>(form: RecordForm<Start>, start: Start) => void
  openDialog: (id: string) => void
}

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

/** The start of a form, undefined while it is closed, and a function that opens or closes it in place. */
export function useRecordForm<Start>(form: RecordForm<Start>): [Start | undefined, (start: Start | undefined) => void] {
  const { starts, setStart } = useFormStates()
  // `openForm` and `setStart` take the type of the form.
  return [starts.get(form.id) as Start | undefined, (start) => setStart(form.id, start)]
}
