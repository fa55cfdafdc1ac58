import { createContext } from 'react'

/** Whether a form that opens now takes the focus; asked once by each. Where nobody says so, it was asked for. */
export const AutofocusContext = createContext<() => boolean>(() => true)
