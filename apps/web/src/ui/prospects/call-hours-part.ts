import { lazyPart } from '../lazy/lazy-part.tsx'

const load = () => import('./call-hours.tsx')

/** Contact hours of a call, and the sentence above a list in the order of calls. Both load after the first page. */
export const CallHours = lazyPart('call-hours', () => load().then((module) => module.CallHours))
export const CallOrder = lazyPart('call-order', () => load().then((module) => module.CallOrder))
