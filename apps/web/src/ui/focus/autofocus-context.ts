import { createContext } from 'react'

/** Returns whether a form that opens now takes the focus; each form calls it once. The default is true. */
export const AutofocusContext = createContext<() => boolean>(() => true)
